import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { QvdFileResult } from '@kaptain/contract';
import type { PackedBatch } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Message, Task } from './messages.ts';

export const readingLimits = { memoryMb: 512, timeMs: 30 * 60_000 };

const tooLong = () =>
  new AppError('BAD_INPUT', 'The files took too long to read. Please import fewer at once.');
const tooLarge = () => new AppError('TOO_LARGE', 'The files need more memory than an import may have.');
const gone = () => new AppError('BAD_REQUEST', 'The upload was given up.');

/** Reads QVD files on a worker thread. `batches` yields the rows in order; `files` is complete after the last batch. */
export class QvdReading {
  readonly #task: Task;
  readonly #signal: AbortSignal;
  files: QvdFileResult[] = [];

  constructor(task: Task, signal: AbortSignal) {
    this.#task = task;
    this.#signal = signal;
  }

  async *batches(): AsyncGenerator<PackedBatch> {
    const worker = new Worker(new URL('./qvd-import-worker.ts', import.meta.url), {
      workerData: this.#task,
      resourceLimits: { maxOldGenerationSizeMb: readingLimits.memoryMb },
    });
    const late = AbortSignal.timeout(readingLimits.timeMs);
    const signal = AbortSignal.any([this.#signal, late]);
    try {
      for await (const [message] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<
        [Message]
      >) {
        if (message.kind === 'refused') throw new AppError(message.code, message.message);
        if (message.kind === 'done') {
          this.files = message.files;
          return;
        }
        // The worker makes the next batch while this one is stored.
        worker.postMessage(null, []);
        yield message;
      }
      throw new Error('The reader of QVD files ended without a result.');
    } catch (error) {
      if (late.aborted) throw tooLong();
      if (this.#signal.aborted) throw gone();
      throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error;
    } finally {
      await worker.terminate();
    }
  }
}
