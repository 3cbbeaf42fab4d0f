import { closeSync, constants, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pino from 'pino';
import { logFileName } from './create-logs.ts';
import type { Log } from './logs.ts';
import { loggerOptions } from './safe-values.ts';

// Never creates it: a file of the host's account might be closed to the service.
const FLAGS = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;

/** For a command of the host: adds its lines to the app log that the service has begun. */
export function hostLog(folder: string): Log {
  const file = join(folder, logFileName('app')(null));
  const write = (line: string): void => {
    try {
      const opened = openSync(file, FLAGS);
      writeSync(opened, line);
      closeSync(opened);
    } catch {
      // The command is done all the same, and the trail has its entry.
    }
  };
  return pino(loggerOptions, { write });
}
