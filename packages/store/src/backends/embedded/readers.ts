import type { PoolUse } from '../../store.ts';
import type { Connection } from './connection.ts';
import type { ReaderCommand, Reads, StreamFilter } from './granules/reads.ts';
import { Thread } from './thread.ts';
import { STREAM_CHUNKS_AHEAD } from './tuning.ts';

type Arguments<Read> = Read extends (connection: Connection, ...args: infer Args) => unknown ? Args : never;

/** Two threads, so that a page need not wait for a slow search or a stream, and a third for reads of every row. */
export class Readers {
  readonly #threads: Thread<ReaderCommand>[];
  readonly #scanner: Thread<ReaderCommand>;
  #streams = 0;

  constructor(file: string) {
    const script = new URL('./reader-worker.ts', import.meta.url);
    this.#threads = Array.from({ length: 2 }, () => new Thread<ReaderCommand>(script, { file }));
    this.#scanner = new Thread<ReaderCommand>(script, { file });
  }

  async read<Method extends keyof Reads>(
    method: Method,
    ...args: Arguments<Reads[Method]>
  ): Promise<ReturnType<Reads[Method]>> {
    return (await this.#idlest().send({ kind: 'read', method, args })) as ReturnType<Reads[Method]>;
  }

  /** A read that may take seconds: one after the other, on a thread of their own that is started by the first one. */
  async scan<Method extends keyof Reads>(
    method: Method,
    ...args: Arguments<Reads[Method]>
  ): Promise<ReturnType<Reads[Method]>> {
    return (await this.#scanner.send({ kind: 'read', method, args })) as ReturnType<Reads[Method]>;
  }

  async *stream(kapsuleId: string, filter: StreamFilter): AsyncGenerator<Uint8Array> {
    const thread = this.#idlest();
    const stream = ++this.#streams;
    await thread.send({ kind: 'open', stream, kapsuleId, filter });
    const coming: Promise<unknown>[] = [];
    try {
      for (;;) {
        while (coming.length < STREAM_CHUNKS_AHEAD) {
          const chunk = thread.send({ kind: 'next', stream });
          // Awaited below; until then its failure must not count as an unhandled rejection.
          chunk.catch(() => undefined);
          coming.push(chunk);
        }
        const chunk = (await coming.shift()) as Uint8Array | undefined;
        if (chunk === undefined) return;
        yield chunk;
      }
    } finally {
      // A thread that is gone has ended its streams too.
      await thread.send({ kind: 'end', stream }).catch(() => undefined);
    }
  }

  get pool(): PoolUse {
    const uses = [...this.#threads, this.#scanner].map(({ use }) => use);
    const sum = (name: 'busy' | 'waiting') => uses.reduce((total, use) => total + use[name], 0);
    return { name: 'readers', busy: sum('busy'), waiting: sum('waiting') };
  }

  async close(): Promise<void> {
    await Promise.all([...this.#threads, this.#scanner].map((thread) => thread.stop({ kind: 'close' })));
  }

  #idlest(): Thread<ReaderCommand> {
    return this.#threads.reduce((best, thread) => (thread.load < best.load ? thread : best));
  }
}
