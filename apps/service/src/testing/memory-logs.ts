import pino from 'pino';
import { loggerOptions } from '../base/logging/logger-options.ts';
import type { Logs } from '../base/logging/logs.ts';

/** The real loggers, writing into an array instead of files. */
export function memoryLogs(): { logs: Logs; lines: string[] } {
  const lines: string[] = [];
  const log = pino({ ...loggerOptions, level: 'debug' }, { write: (line: string) => void lines.push(line) });
  return {
    lines,
    logs: {
      system: log,
      app: log,
      setLevel: (level) => void (log.level = level),
      close: async () => undefined,
    },
  };
}
