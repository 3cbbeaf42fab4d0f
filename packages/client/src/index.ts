export {
  ApiError,
  api,
  type CallOptions,
  type Client,
  type ErrorCode,
  errorCodes,
  type Granule,
  type Kapsule,
  type KaptainApi,
  pathOf,
  readThread,
  type Thread,
  type ThreadComment,
  UnexpectedAnswerError,
} from '@kaptain/contract';
export { type ConnectionOptions, type KaptainClient, kaptainClient } from './kaptain-client.ts';
export { type GranuleReading, type ReadGranule, readGranules } from './read-granules.ts';
