import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { type Command, fromFailure, type Reply, type Request } from './messages.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** The near side of the writer's thread: sends commands, and lets one user after another have it to themselves. */
export class Writer {
  readonly #file: string;
  readonly #waiting = new Map<number, Waiting>();
  readonly #holder = new AsyncLocalStorage<{ done: boolean }>();
  #worker: Worker | undefined;
  #calls = 0;
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;
  #isStopped = false;

  constructor(file: string) {
    this.#file = file;
  }

  /** Runs the work when all work asked for earlier is done. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new UnavailableError('The store is closed.');
    if (this.#holder.getStore()?.done === false) {
      // It would wait for itself until the unit's time is over.
      throw new Error('Inside a unit of work only the nouns handed to it may write.');
    }
    const holder = { done: false };
    const turn = this.#last.then(() => this.#holder.run(holder, work));
    const end = () => {
      holder.done = true;
    };
    this.#last = turn.then(end, end);
    return await turn;
  }

  async send(command: Command): Promise<unknown> {
    if (this.#isStopped) throw new UnavailableError('The store is closed.');
    const worker = (this.#worker ??= this.#start());
    const call = ++this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    // Only waiting calls keep the process alive.
    worker.ref();
    worker.postMessage({ call, command } satisfies Request, []);
    return await promise;
  }

  /** Lets all work end, then calls `last`, then ends the thread. */
  close(last: () => void): Promise<void> {
    this.#closing ??= this.#last.then(() => {
      last();
      return this.#stop();
    });
    return this.#closing;
  }

  async #stop(): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage({ call: 0, command: { kind: 'close' } } satisfies Request, []);
    await exited;
  }

  #start(): Worker {
    const worker = new Worker(new URL('./writer-worker.ts', import.meta.url), {
      workerData: { file: this.#file },
    });
    worker.on('message', (reply: Reply) => this.#settle(worker, reply));
    // A worker that died has lost its open unit, never an acknowledged one; the next call starts another.
    worker.on('error', (error) => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker));
    return worker;
  }

  #settle(worker: Worker, reply: Reply): void {
    const waiting = this.#waiting.get(reply.call);
    this.#waiting.delete(reply.call);
    if (this.#waiting.size === 0) worker.unref();
    if ('failure' in reply) waiting?.reject(fromFailure(reply.failure));
    else waiting?.resolve(reply.value);
  }

  #fail(worker: Worker, error?: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    const reason = new UnavailableError('The database writer stopped unexpectedly; try again.', {
      cause: error,
    });
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}
