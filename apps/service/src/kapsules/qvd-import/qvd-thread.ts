import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../base/errors/app-error.ts';
import { IMPORT_THREAD_IDLE_MS } from '../tuning.ts';
import type { Message, ProposalTask, Reply, Task } from './messages.ts';

export const readingLimits = { memoryMb: 512, timeMs: 30 * 60_000 };

const tooLong = () =>
  new AppError('BAD_INPUT', 'The files took too long to read. Please import fewer at once.');
const tooLarge = () =>
  new AppError(
    'TOO_LARGE',
    `The files need more than the ${readingLimits.memoryMb} MiB of memory that an import may have.`,
  );
const gone = () => new AppError('BAD_REQUEST', 'The upload was given up.');

/** A thread that has finished an import. A second one would hold memory that is seldom needed. */
let idle: { worker: Worker; ending: NodeJS.Timeout } | undefined;

function takeThread(): Worker {
  if (idle) {
    const { worker, ending } = idle;
    idle = undefined;
    clearTimeout(ending);
    worker.ref();
    return worker;
  }
  const worker = new Worker(new URL('./qvd-import-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: readingLimits.memoryMb },
  });
  // Reported to the import that uses the thread; one that waits is not used again.
  worker.on('error', () => forget(worker)).once('exit', () => forget(worker));
  return worker;
}

function forget(worker: Worker): void {
  if (idle?.worker !== worker) return;
  clearTimeout(idle.ending);
  idle = undefined;
}

async function giveBack(worker: Worker): Promise<void> {
  if (idle) return void (await worker.terminate());
  // The thread does not keep the process alive.
  worker.unref();
  const end = () => {
    forget(worker);
    void worker.terminate();
  };
  idle = { worker, ending: setTimeout(end, IMPORT_THREAD_IDLE_MS).unref() };
}

interface Turn {
  message: Message;
  reply: (to: Reply) => void;
}

const isLast = ({ kind }: Message): boolean => kind === 'done' || kind === 'refused' || kind === 'proposed';

/** Runs a task on a thread: yields its messages, of which the last one is the result. */
export async function* onThread(task: Task | ProposalTask, given: AbortSignal): AsyncGenerator<Turn> {
  const worker = takeThread();
  let isFinished = false;
  const late = AbortSignal.timeout(readingLimits.timeMs);
  const signal = AbortSignal.any([given, late]);
  const reply = (to: Reply) => worker.postMessage(to, []);
  try {
    worker.postMessage(task, []);
    for await (const [message] of on(worker, 'message', { signal, close: ['exit'] }) as AsyncIterable<
      [Message]
    >) {
      isFinished = isLast(message);
      if (message.kind === 'refused') throw new AppError(message.code, message.message);
      yield { message, reply };
      if (isFinished) return;
    }
    throw new Error('The reader of QVD files ended without a result.');
  } catch (error) {
    if (late.aborted) throw tooLong();
    if (given.aborted) throw gone();
    throw (error as NodeJS.ErrnoException).code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : error;
  } finally {
    if (isFinished) await giveBack(worker);
    else await worker.terminate();
  }
}
