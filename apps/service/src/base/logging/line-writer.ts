import type { Writable } from 'node:stream';
import { LINE_GATHER_CHARACTERS, LINE_GATHER_MS, LINE_RETRY_MS } from '../tuning.ts';

interface LineWriter {
  write(line: string): void;
  close(): Promise<void>;
}

/** The line of a failed write may be cut: the next one begins on a line of its own. */
const missing = () =>
  `\n${JSON.stringify({ level: 'warn', time: new Date().toISOString(), msg: 'Lines are missing here: the log could not be written.' })}\n`;

/** Gathers lines, and writes them together. Lines whose write fails are lost; the later ones go to a new stream. */
export function lineWriter(open: () => Writable): LineWriter {
  let stream = open();
  let waiting = '';
  let isBusy = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const takeWaiting = (): string => {
    const lines = waiting;
    waiting = '';
    if (!stream.destroyed) return lines;
    stream = open();
    return missing() + lines;
  };
  const goOn = () => {
    isBusy = false;
    if (waiting !== '') schedule();
  };
  const writeNow = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isBusy || waiting === '') return;
    isBusy = true;
    const lines = takeWaiting();
    stream.write(lines, (error) => {
      if (!error) goOn();
      else setTimeout(goOn, LINE_RETRY_MS).unref();
    });
  };
  const schedule = () => {
    if (waiting.length >= LINE_GATHER_CHARACTERS) writeNow();
    else timer ??= setTimeout(writeNow, LINE_GATHER_MS).unref();
  };

  return {
    write(line) {
      // A late line would open the file again.
      if (isClosed) return;
      waiting += line;
      schedule();
    },
    close: () =>
      new Promise((resolve) => {
        clearTimeout(timer);
        isClosed = true;
        const lines = takeWaiting();
        stream.end(lines, () => resolve());
      }),
  };
}
