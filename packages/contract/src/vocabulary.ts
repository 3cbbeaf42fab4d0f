import { z } from 'zod';
import { dataSourceTypes } from './data-source-names.ts';

/** The enumerations of SPEC 3 and 9. */
export const Role = z.enum(['ADMIN', 'USER']);
export type Role = z.infer<typeof Role>;

/** By rank: each includes those before it. Other services know READ and DELETE alone. */
export const Authority = z.enum(['READ', 'WRITE', 'DELETE']);
export type Authority = z.infer<typeof Authority>;

/**
 * Who may save granules of a kapsule, beside ADMINs and the owner. `DELETE`: members who may write, with WRITE or DELETE;
 * the value is older than WRITE. `READ`: all who may read. `EVERYONE`: on a sheet also every person that the platform knows.
 */
export const Writers = z.enum(['DELETE', 'READ', 'EVERYONE']);
export type Writers = z.infer<typeof Writers>;

export const DataSourceType = z.enum(dataSourceTypes);
export type DataSourceType = z.infer<typeof DataSourceType>;

export const DEFAULT_DATABASE = 'kaptaindb';
export const DatabaseName = z.enum([DEFAULT_DATABASE, ...DataSourceType.options]);
export type DatabaseName = z.infer<typeof DatabaseName>;

export const ConnectionMode = z.enum(['CERT', 'JWT', 'SAAS', 'DESKTOP']);
export type ConnectionMode = z.infer<typeof ConnectionMode>;

export const JobType = z.enum(['normal', 'single']);
export type JobType = z.infer<typeof JobType>;

export const JobStatus = z.enum(['queued', 'running', 'succeeded', 'failed', 'cancelled']);
export type JobStatus = z.infer<typeof JobStatus>;

/** An answer with only a status (SPEC 7). */
export const Success = z.looseObject({ status: z.string() });
