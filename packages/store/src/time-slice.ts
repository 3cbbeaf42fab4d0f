import { setImmediate } from 'node:timers/promises';

const SLICE_MS = 5;

/** Lets other requests run after every 5 ms of work on the main thread. */
export class TimeSlice {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE_MS;
  }

  async pause(): Promise<void> {
    if (!this.isOver) return;
    await setImmediate();
    this.#began = performance.now();
  }
}
