import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { basename } from 'node:path';

const NICE_STEPS = 10;
const LOWEST_PRIORITY = 19;
const WORK_MS = 1.5;
const REST_MS = 0.05;

/** Lowers the priority of the calling thread; only Linux has priorities per thread. */
export function lowerThreadPriority(): void {
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, Math.min(LOWEST_PRIORITY, getPriority() + NICE_STEPS));
  } catch {
    // On other systems the thread keeps its priority.
  }
}

const neverNotified = new Int32Array(new SharedArrayBuffer(4));
let restedAt = 0;

/**
 * Sleeps 0.05 ms after every 1.5 ms of work; called between two small pieces of long work. A lower priority alone is not
 * enough: Linux lets a running thread keep its processor for about 4 ms, even when one of higher priority has woken up.
 */
export function yieldProcessor(): void {
  if (performance.now() - restedAt < WORK_MS) return;
  Atomics.wait(neverNotified, 0, 0, REST_MS);
  restedAt = performance.now();
}
