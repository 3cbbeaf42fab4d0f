import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { freeMemory } from '@kaptain/store/free-memory';
import type { OpenAnswer } from '../answers/open-answers.ts';

type Chunk = string | Uint8Array;

/**
 * Sends chunks to a socket. It calls `write` itself to know when the socket has taken a chunk, and frees its memory
 * then.
 */
export class Outgoing extends Readable {
  readonly #iterator: AsyncIterator<Chunk>;
  readonly #rights: OpenAnswer | undefined;
  #next: IteratorResult<Chunk>;

  constructor(first: IteratorResult<Chunk>, iterator: AsyncIterator<Chunk>, rights?: OpenAnswer) {
    super({ read: () => undefined });
    this.#next = first;
    this.#iterator = iterator;
    this.#rights = rights;
    if (rights) rights.onLost = (error) => this.destroy(error);
    this.once('close', () => void this.#release());
  }

  override pipe<T extends NodeJS.WritableStream>(answer: T): T {
    this.#writeAll(answer).catch((error: unknown) => this.destroy(error as Error));
    return answer;
  }

  async #release(): Promise<void> {
    this.#rights?.close();
    try {
      await this.#iterator.return?.();
    } catch {
      // Ignored: the answer has ended, so its caller can't get an error.
    }
  }

  async #writeAll(answer: NodeJS.WritableStream): Promise<void> {
    for (; !this.#next.done; this.#next = await this.#iterator.next()) {
      if (this.#rights?.isDue) await this.#rights.confirm();
      // The last check before the write, so that no change of rights happens in between.
      while (this.#rights?.isCurrent === false && !this.destroyed) await this.#rights.confirm();
      if (this.destroyed) return;
      // Converted to bytes here, because the socket converts text more slowly.
      const { value } = this.#next;
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      await written(answer, bytes);
      freeMemory(bytes);
      // Messages of threads are handled in batches of a thousand: without a turn of the event loop other requests would wait.
      await setImmediate();
    }
    answer.end();
    this.push(null);
    this.resume();
  }
}

/** Resolves when the socket has taken the bytes, or after `drain` when its buffer was full. */
const written = (answer: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    let isFull = false;
    isFull = !answer.write(bytes, (error) => {
      if (error) reject(error);
      else if (!isFull) resolve();
    });
    if (isFull) answer.once('drain', resolve);
  });
