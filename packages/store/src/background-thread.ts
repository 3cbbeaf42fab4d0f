import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const STEPS = 10;
const LEAST = 19;
const WORK_MS = 1.5;
const REST_MS = 0.05;

/** Lets the calling thread have the processor after all others that want it; only Linux knows priorities of threads. */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(LEAST, getPriority() + STEPS));
  } catch {
    // Elsewhere it works on as before.
  }
}

const nobodyWakes = new Int32Array(new SharedArrayBuffer(4));
let restedAt = 0;

/**
 * To be called between two small pieces of long work: now and then the thread sleeps for a moment. Stepping back alone is
 * not enough, because who runs keeps the processor for about 4 ms, even when one that goes first has woken up.
 */
export function yieldProcessor(): void {
  if (performance.now() - restedAt < WORK_MS) return;
  Atomics.wait(nobodyWakes, 0, 0, REST_MS);
  restedAt = performance.now();
}
