import { type Transferable, Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { fromFailure, type Reply } from './messages.ts';
import { spareThreads } from './spare-threads.ts';
import type { ThreadData } from './thread-data.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/**
 * Unique in the process, so that a late reply to an earlier store on the same thread is not taken for a reply to this
 * one.
 */
let calls = 0;

/** A worker thread that is started on first use, and again after it has died. */
export class Thread<Command> {
  readonly #script: URL;
  readonly #data: ThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** Stops listening to the thread. */
  #letGo: () => unknown = () => undefined;
  #isStopped = false;

  constructor(script: URL, data: ThreadData) {
    this.#script = script;
    this.#data = data;
  }

  /** A thread whose priority was lowered can not raise it again. */
  get #kind(): string {
    return `${this.#script.href} ${this.#data.isBackground === true}`;
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
    const isClosed = await this.#ask(worker, close).then(
      () => true,
      () => false,
    );
    this.#letGo();
    this.#fail(worker);
    if (!(isClosed && spareThreads.keep(this.#kind, worker))) await worker.terminate();
  }

  async #ask(worker: Worker, command: Command, transferred: Transferable[] = []): Promise<unknown> {
    const call = ++calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    // The thread keeps the process alive only while calls wait.
    worker.ref();
    worker.postMessage({ call, command }, transferred);
    return await promise;
  }

  #start(): Worker {
    const worker = spareThreads.take(this.#kind) ?? new Worker(this.#script);
    worker.postMessage({ call: 0, command: { kind: 'use', data: this.#data } }, []);
    const onMessage = (reply: Reply) => this.#settle(worker, reply);
    // A thread that dies loses the calls in progress, never acknowledged writes; the next call starts another thread.
    const onError = (error: Error) => this.#fail(worker, error);
    const onExit = () => this.#fail(worker);
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    this.#letGo = () => worker.off('message', onMessage).off('error', onError).off('exit', onExit);
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
