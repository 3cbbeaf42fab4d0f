import type { Worker } from 'node:worker_threads';

/**
 * Threads of closed stores, kept for the next stores of the same process. A service opens one store, so it keeps none; tests
 * open hundreds and set a limit, because the start of a thread takes 50 ms of processor time.
 */
export class SpareThreads {
  readonly #workers = new Map<string, Worker[]>();
  /** Of each kind: the script of the thread and its priority. */
  limit = 0;

  take(kind: string): Worker | undefined {
    return this.#of(kind).pop();
  }

  /** Returns false when the thread is not kept: its caller ends it. */
  keep(kind: string, worker: Worker): boolean {
    const workers = this.#of(kind);
    if (workers.length >= this.limit) return false;
    worker.unref();
    workers.push(worker);
    return true;
  }

  async end(): Promise<void> {
    const workers = [...this.#workers.values()].flat();
    this.#workers.clear();
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  #of(kind: string): Worker[] {
    const workers = this.#workers.get(kind) ?? [];
    this.#workers.set(kind, workers);
    return workers;
  }
}

export const spareThreads = new SpareThreads();
