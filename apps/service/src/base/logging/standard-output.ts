import { setTimeout } from 'node:timers/promises';
import pino from 'pino';
import { OUTPUT_CLOSE_MS, OUTPUT_WAITING_BYTES } from '../tuning.ts';

/** The size of a write that a pipe takes at once: the lines of two workers, one of which hands over, do not mix. */
const WRITE_BYTES = 4096;

export interface LineOutput {
  write(line: string): void;
  close(): Promise<void>;
}

/** Writes lines without blocking the event loop, as `process.stdout` would while the reader of a pipe is slow. */
export function standardOutput(fd = 1): LineOutput {
  const stream = pino.destination({
    dest: fd,
    sync: false,
    maxLength: OUTPUT_WAITING_BYTES,
    maxWrite: WRITE_BYTES,
  });
  // Ignored: the service goes on without a reader, and the files have the lines.
  stream.on('error', () => undefined);
  return {
    write: (line) => void stream.write(line),
    async close() {
      const closed = new Promise<void>((resolve) => stream.once('close', resolve));
      stream.end();
      await Promise.race([closed, setTimeout(OUTPUT_CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
