import { Worker } from 'node:worker_threads';
import { AppError } from '../../base/errors/app-error.ts';
import { EXPORT_THREAD_IDLE_MS } from '../tuning.ts';
import type { Command, Made, Reply, Request } from './table-messages.ts';

interface Waiting {
  resolve: (made: Made) => void;
  reject: (error: Error) => void;
}

const stopped = (cause?: Error) =>
  new AppError('UNAVAILABLE', 'The thread that made this file has stopped. Please try again.', {
    retryAfter: 5,
    cause,
  });

/** A worker thread; it ends when it has had no file for a while. */
export class TableThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #files = 0;
  #ending: NodeJS.Timeout | undefined;
  #isAlive = true;

  constructor() {
    // Without a limit for its heap: V8 ends the whole process when one is reached while it parses JSON.
    this.#worker = new Worker(new URL('./table-worker.ts', import.meta.url));
    this.#worker.unref();
    this.#worker
      .on('message', (reply: Reply) => this.#settle(reply))
      .on('error', (error: Error) => this.#fail(error))
      .on('exit', (code) => this.#fail(new Error(`The thread ended with ${code}.`)));
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get files(): number {
    return this.#files;
  }

  hold(): void {
    this.#files += 1;
    clearTimeout(this.#ending);
  }

  release(): void {
    this.#files -= 1;
    if (this.#files === 0) this.#ending = setTimeout(() => void this.end(), EXPORT_THREAD_IDLE_MS).unref();
  }

  ask(file: number, command: Command, transferred: ArrayBuffer[] = []): Promise<Made> {
    if (!this.#isAlive) return Promise.reject(stopped());
    const call = ++this.#calls;
    const { promise, resolve, reject } = Promise.withResolvers<Made>();
    this.#waiting.set(call, { resolve, reject });
    // The thread keeps the process alive only while calls wait.
    this.#worker.ref();
    this.#worker.postMessage({ call, file, command } satisfies Request, transferred);
    return promise;
  }

  async end(): Promise<void> {
    this.#fail();
    await this.#worker.terminate();
  }

  #settle(reply: Reply): void {
    const waiting = this.#waiting.get(reply.call);
    this.#waiting.delete(reply.call);
    if (this.#waiting.size === 0) this.#worker.unref();
    if ('failure' in reply) waiting?.reject(new Error(reply.failure));
    else waiting?.resolve(reply.made);
  }

  #fail(cause?: Error): void {
    this.#isAlive = false;
    clearTimeout(this.#ending);
    for (const { reject } of this.#waiting.values()) reject(stopped(cause));
    this.#waiting.clear();
  }
}
