import type { Logger } from 'pino';

/** A log that a part of the service writes to. */
export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface Logs {
  /** The service's own operation: start, stop, HTTP, database. */
  system: Log;
  /** Actions of users and jobs. */
  app: Log;
  /** Applies to all lines from now on. */
  setLevel(level: LogLevel): void;
  close(): Promise<void>;
}
