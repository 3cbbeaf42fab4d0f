import { Worker } from 'node:worker_threads';
import type { KapsuleRecord } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import type { Lines } from './lines.ts';

/** Chunks sent ahead to the thread: enough to keep it busy, few enough to hold in memory. */
const AHEAD = 4;
/** What the rows of one file may take. */
const MOST_BYTES = 1024 ** 3;

type Answer = Uint8Array | number | null;

/** Sends requests to the thread; replies arrive in the same order. */
class QvdThread implements AsyncDisposable {
  readonly #worker: Worker;
  readonly #waiting: { resolve: (value: Answer) => void; reject: (error: unknown) => void }[] = [];

  constructor({ name, keyField, fields }: KapsuleRecord) {
    this.#worker = new Worker(new URL('./qvd-worker.ts', import.meta.url), {
      workerData: { name, keyField, fields },
    });
    this.#worker.on('message', (value: Answer) => this.#waiting.shift()?.resolve(value));
    this.#worker.on('error', (error) => {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    });
  }

  /** Adds rows; the thread owns the chunk from then on. */
  async add(chunk: Uint8Array, mostBytes: number): Promise<void> {
    // A chunk that shares its memory with others is copied.
    const isWhole = chunk.byteLength === chunk.buffer.byteLength;
    const memory = await this.#ask(chunk, isWhole ? [chunk.buffer as ArrayBuffer] : []);
    if (Number(memory) > mostBytes)
      throw new AppError('TOO_LARGE', 'These are too many for one QVD file. Please narrow the filter.');
  }

  /** The next piece of the file, null at its end. */
  async next(): Promise<Uint8Array | null> {
    return (await this.#ask(null, [])) as Uint8Array | null;
  }

  #ask(message: Uint8Array | null, transferred: ArrayBuffer[]): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    this.#waiting.push({ resolve, reject });
    this.#worker.postMessage(message, transferred);
    return promise;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }
}

/** The granules as a QVD file, put together on a thread of its own. */
export async function* qvdFile(
  lines: Lines,
  kapsule: KapsuleRecord,
  mostBytes: number = MOST_BYTES,
): AsyncGenerator<Uint8Array> {
  await using thread = new QvdThread(kapsule);
  const taken: Promise<void>[] = [];
  for await (const chunk of lines) {
    const adding = thread.add(chunk, mostBytes);
    // Awaited below; until then its failure must not count as an unhandled rejection.
    adding.catch(() => undefined);
    taken.push(adding);
    if (taken.length > AHEAD) await taken.shift();
  }
  await Promise.all(taken);
  for (let piece = await thread.next(); piece; piece = await thread.next()) yield piece;
}
