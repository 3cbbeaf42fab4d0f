import { writeSync } from 'node:fs';

const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Prints a line at once, so that a kill right after does not lose it; waits while the reader of the pipe is slower. */
export function printNow(line: string): void {
  for (;;) {
    try {
      // Shorter than what a pipe takes whole or not at all.
      writeSync(1, `${line}\n`);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
