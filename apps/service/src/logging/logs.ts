import type { Logger } from 'pino';

/** Where a part of the service writes what it did. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export interface Logs {
  /** The service's own operation: start, stop, HTTP, database. */
  system: Log;
  /** What users and jobs did. */
  app: Log;
  close(): Promise<void>;
}
