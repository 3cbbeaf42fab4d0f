import { type Transferable, Worker } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { fromFailure, type Reply } from './messages.ts';

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
}

/** What a thread knows from its start. */
export interface ThreadData {
  file: string;
  /** Names the store that it belongs to; only a writer needs it. */
  owner?: string;
  /** For work that must not slow down others. */
  isBackground?: boolean;
}

/** The near side of a worker thread that is started when it is first needed, and again when it has died. */
export class Thread<Command> {
  readonly #script: URL;
  readonly #data: ThreadData;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #calls = 0;
  #isStopped = false;

  constructor(script: URL, data: ThreadData) {
    this.#script = script;
    this.#data = data;
  }

  get load(): number {
    return this.#waiting.size;
  }

  /** What is to be transferred is the thread's from then on. */
  async send(command: Command, transferred: Transferable[] = []): Promise<unknown> {
    if (this.#isStopped) throw new UnavailableError('The store is closed.');
    const worker = (this.#worker ??= this.#start());
    const call = ++this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(call, { resolve, reject });
    // Only waiting calls keep the process alive.
    worker.ref();
    worker.postMessage({ call, command }, transferred);
    return await promise;
  }

  /** Ends the thread after the commands that it has been sent. */
  async stop(close: Command): Promise<void> {
    this.#isStopped = true;
    const worker = this.#worker;
    if (!worker) return;
    const exited = new Promise((resolve) => worker.once('exit', resolve));
    worker.ref();
    worker.postMessage({ call: 0, command: close }, []);
    await exited;
  }

  #start(): Worker {
    const worker = new Worker(this.#script, { workerData: this.#data });
    worker.on('message', (reply: Reply) => this.#settle(worker, reply));
    // A thread that died has lost what was under way, never what was acknowledged; the next call starts another.
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
