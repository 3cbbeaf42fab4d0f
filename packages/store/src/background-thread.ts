import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const STEPS = 10;
const LEAST = 19;

/** Lets the calling thread have the processor after all others that want it; only Linux knows priorities of threads. */
export function stepBack(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(LEAST, getPriority() + STEPS));
  } catch {
    // Elsewhere it works on as before.
  }
}
