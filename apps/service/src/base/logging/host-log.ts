import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { logFileName } from './create-logs.ts';
import { loggerOptions } from './logger-options.ts';
import type { Log } from './logs.ts';

// Never creates the file: the service might not be allowed to write to a file of the host's account.
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/** For the command line: appends to the app log that the service has created. */
export function hostLog(folder: string): Log {
  const file = join(folder, logFileName('app')(null));
  const write = (line: string): void => {
    try {
      const opened = openSync(file, FLAGS);
      writeSync(opened, line);
      closeSync(opened);
    } catch {
      // Ignored: the command has succeeded, and the audit trail has its entry.
    }
  };
  return pino(loggerOptions, { write });
}
