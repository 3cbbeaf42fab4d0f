export {
  ApiError,
  api,
  type CallOptions,
  type Client,
  type ErrorCode,
  type Granule,
  type GranuleConflict,
  type Kapsule,
  type KaptainApi,
  limits,
  pathOf,
  readThread,
  type Thread,
  type ThreadComment,
  UnexpectedAnswerError,
} from '@kaptain/contract';
export { type ConflictDetails, conflictsOf, errorCodes, errorMeanings } from './failures.ts';
export { type ConnectionOptions, type KaptainClient, kaptainClient } from './kaptain-client.ts';
export {
  type DeletedGranule,
  type GranuleReading,
  type ReadGranule,
  type ReadOptions,
  readGranules,
} from './read-granules.ts';
