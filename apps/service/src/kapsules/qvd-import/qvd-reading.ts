import type { QvdFileResult } from '@kaptain/contract';
import type { PackedBatch } from '@kaptain/store';
import type { Reply, Task } from './messages.ts';
import { onThread } from './qvd-thread.ts';

/** Reads what is stored under keys of the files. */
export type LookUp = (keys: readonly string[]) => Promise<Reply>;

/** Reads QVD files on a worker thread. `batches` yields the rows in order; `files` is complete after the last batch. */
export class QvdReading {
  readonly #task: Task;
  readonly #signal: AbortSignal;
  readonly #lookUp: LookUp;
  files: QvdFileResult[] = [];

  constructor(task: Task, lookUp: LookUp, signal: AbortSignal) {
    this.#task = task;
    this.#lookUp = lookUp;
    this.#signal = signal;
  }

  async *batches(): AsyncGenerator<PackedBatch> {
    for await (const { message, reply } of onThread(this.#task, this.#signal)) {
      if (message.kind === 'done') this.files = message.files;
      if (message.kind === 'lookup') reply(await this.#lookUp(message.keys));
      if (message.kind !== 'rows') continue;
      // The worker makes the next batch while this one is stored.
      reply('more');
      yield message;
    }
  }
}
