import { Readable } from 'node:stream';
import type { OpenAnswer } from './open-answers.ts';

type Chunk = string | Uint8Array;

/**
 * Chunks on their way to a socket. It writes them by itself, because it must know when the socket has taken one: then its
 * memory is given back at once. Left to the garbage collection, a million granules would cost it more than all the rest.
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
    this.once('close', () => void this.#letGo());
  }

  override pipe<T extends NodeJS.WritableStream>(answer: T): T {
    this.#writeAll(answer).catch((error: unknown) => this.destroy(error as Error));
    return answer;
  }

  async #letGo(): Promise<void> {
    this.#rights?.close();
    try {
      await this.#iterator.return?.();
    } catch {
      // The answer is over: its caller can't be told any more.
    }
  }

  async #writeAll(answer: NodeJS.WritableStream): Promise<void> {
    for (; !this.#next.done; this.#next = await this.#iterator.next()) {
      if (this.#rights?.isDue) await this.#rights.confirm();
      // Asked last, so that no change of rights fits between the check and the write.
      while (this.#rights?.isCurrent === false && !this.destroyed) await this.#rights.confirm();
      if (this.destroyed) return;
      // As bytes: the socket would turn text into them at a higher price.
      const { value } = this.#next;
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      await written(answer, bytes);
      giveBack(bytes);
    }
    answer.end();
    this.push(null);
    this.resume();
  }
}

/** Resolves when the socket has taken the bytes; a full one says so by its drain. */
const written = (answer: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    let isFull = false;
    isFull = !answer.write(bytes, (error) => {
      if (error) reject(error);
      else if (!isFull) resolve();
    });
    if (isFull) answer.once('drain', resolve);
  });

/** Small buffers are parts of a larger one, which others use too. */
function giveBack({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
