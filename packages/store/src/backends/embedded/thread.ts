import { type Transferable, Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { fromFailure, type Reply } from './messages.ts';
import type { ThreadData } from './thread-data.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** A worker thread that is started on first use, and again after it has died. */
export class Thread<Command> {
  readonly #script: URL;
  readonly #data: ThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #isStopped = false;
  #calls = 0;

  constructor(script: URL, data: ThreadData) {
    this.#script = script;
    this.#data = data;
  }

  get load(): number {
    return this.#waiting.size;
  }

  get use(): { busy: number; waiting: number } {
    const busy = Math.min(1, this.load);
    return { busy, waiting: this.load - busy };
  }

  /** Transferred objects belong to the thread afterwards. */
  async send(command: Command, transferred: Transferable[] = []): Promise<unknown> {
    if (this.#isStopped) throw new UnavailableError('The store is closed.');
    return await this.#ask((this.#worker ??= this.#start()), command, transferred);
  }

  /** Ends the thread after the commands that it has been sent. */
  async stop(close: Command): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    if (!worker) return;
    await this.#ask(worker, close).catch(() => undefined);
    this.#fail(worker);
    await worker.terminate();
  }

  async #ask(worker: Worker, command: Command, transferred: Transferable[] = []): Promise<unknown> {
    const call = ++this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    // The thread keeps the process alive only while calls wait.
    worker.ref();
    worker.postMessage({ call, command }, transferred);
    return await promise;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#data });
    worker.on('message', (reply: Reply) => this.#settle(worker, reply));
    // A thread that dies loses the calls in progress, never acknowledged writes; the next call starts another thread.
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
    const message = this.#isStopped
      ? 'The store is closed.'
      : 'A thread of the database stopped unexpectedly; try again.';
    const reason = new UnavailableError(message, { cause: error });
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}
