import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

/** Lets other requests run after every 5 ms of work on the main thread. */
export class TimeSlice {
  #began = performance.now();

  async pause(): Promise<void> {
    if (performance.now() - this.#began < SLICE_MS) return;
    await setImmediate();
    this.#began = performance.now();
  }
}
