import { join, resolve } from 'node:path';
import pino, { type Logger } from 'pino';
import { createStream } from 'rotating-file-stream';
import { lineWriter } from './line-writer.ts';
import { loggerOptions } from './logger-options.ts';
import type { LogLevel, Logs } from './logs.ts';
import type { LineOutput } from './standard-output.ts';

interface LogOptions {
  folder: string;
  level: LogLevel;
  /** Gets each line too, with the name of its log. */
  output?: LineOutput | undefined;
}

const two = (value: number): string => String(value).padStart(2, '0');
const day = (time: Date): string =>
  `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;

/** `system-current.log`, renamed to `system-2026-11-15-1.log` at the end of the day or at 10 MB. */
export const logFileName =
  (kind: 'system' | 'app') =>
  (time: Date | number | null, index = 1): string =>
    time === null ? `${kind}-current.log` : `${kind}-${day(new Date(time))}-${index}.log`;

/** The folder of the logs: inside the data folder, unless the settings name another one. */
export const logFolderIn = (dataDir: string, logPath: string): string =>
  logPath === '' ? join(dataDir, 'logs') : resolve(dataDir, logPath);

/** The file with the names of the rotated files. */
export const historyFile = (kind: 'system' | 'app'): string => `.${kind}-history`;

function openStream(kind: 'system' | 'app', folder: string) {
  const stream = createStream(logFileName(kind), {
    path: folder,
    size: '10M',
    interval: '1d',
    intervalBoundary: true,
    initialRotation: true,
    maxFiles: 30,
    history: historyFile(kind),
    mode: 0o600,
  });
  // Ignored: the service goes on when the disk is full, and `lineWriter` opens another stream.
  stream.on('error', () => undefined);
  stream.on('warning', () => undefined);
  return stream;
}

/** The two logs of the service, rotated by day and size. */
export function createLogs({ folder, level, output }: LogOptions): Logs {
  const options = { ...loggerOptions, level };
  const open = (kind: 'system' | 'app'): { log: Logger; close: () => Promise<void> } => {
    const stream = lineWriter(() => openStream(kind, folder));
    const write = (line: string) => {
      stream.write(line);
      output?.write(`{"log":"${kind}",${line.slice(1)}`);
    };
    return { log: pino(options, { write }), close: () => stream.close() };
  };
  const system = open('system');
  const app = open('app');
  return {
    system: system.log,
    app: app.log,
    setLevel(to) {
      system.log.level = to;
      app.log.level = to;
    },
    close: async () => {
      await Promise.all([system.close(), app.close(), output?.close()]);
    },
  };
}
