export type * from './data-source.ts';
export { type Category, DataSourceError } from './errors.ts';
export { openDataSource } from './open.ts';
