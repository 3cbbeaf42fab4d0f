import { Worker } from 'node:worker_threads';
import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import type { Lines } from './wire-granule.ts';

/** Chunks sent ahead to the thread: enough to keep it busy, few enough to hold in memory. */
const AHEAD = 4;
const MOST_MEMORY_MB = 1024;

/** Sends requests to the thread; replies arrive in the same order. */
class QvdThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (value: Uint8Array | null) => void; reject: (error: unknown) => void }[] = [];

  constructor({ name, keyField, fields }: KapsuleRecord) {
    this.#worker = new Worker(new URL('./qvd-worker.ts', import.meta.url), {
      workerData: { name, keyField, fields },
      resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
    });
    this.#worker.on('message', (value: Uint8Array | null) => this.#waiting.shift()?.resolve(value));
    this.#worker.on('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? new AppError('TOO_LARGE', 'These are too many for one QVD file. Please narrow the filter.')
          : error;
      for (const { reject } of this.#waiting.splice(0)) reject(reason);
    });
  }

  ask(message: Uint8Array | null): Promise<Uint8Array | null> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>();
    // The rejection is handled where the promise is awaited; this prevents an unhandled rejection until then.
    promise.catch(() => undefined);
    this.#waiting.push({ resolve, reject });
    this.#worker.postMessage(message, []);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The granules as a QVD file, built on a worker thread. */
export async function* qvdFile(lines: Lines, kapsule: KapsuleRecord): AsyncGenerator<Uint8Array> {
  await using thread = new QvdThread(kapsule);
  const taken: Promise<unknown>[] = [];
  for await (const chunk of lines) {
    taken.push(thread.ask(chunk));
    if (taken.length > AHEAD) await taken.shift();
  }
  await Promise.all(taken);
  for (let chunk = await thread.ask(null); chunk; chunk = await thread.ask(null)) yield chunk;
}
