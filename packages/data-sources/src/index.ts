export type * from './data-source.ts';
export {
  type Category,
  DataSourceError,
  sourceNames,
  type VersionConflict,
  VersionConflictError,
} from './errors.ts';
export { openDataSource } from './open.ts';
