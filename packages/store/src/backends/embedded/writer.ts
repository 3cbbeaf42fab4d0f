import type { Transferable } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { UnitScope } from '../shared/unit-scope.ts';
import type { Command } from './messages.ts';
import { Thread } from './thread.ts';

/** The main thread's side of the writer thread: runs one exclusive piece of work at a time, or shared ones. */
export class Writer {
  readonly #thread: Thread<Command>;
  readonly #scope = new UnitScope();
  /** Settled when the last exclusive work is done … */
  #last: Promise<unknown> = Promise.resolve();
  /** … and when all shared work that was asked for after it is. */
  #shared: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(file: string) {
    this.#thread = new Thread(new URL('./writer-worker.ts', import.meta.url), file);
  }

  /** Runs the work when all work asked for earlier is done. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.requireOutside();
    const shared = this.#shared;
    const result = this.#last.then(() => shared).then(() => this.#scope.run(work));
    this.#last = result.catch(() => undefined);
    this.#shared = Promise.resolve();
    return await result;
  }

  /** Runs the work beside other shared work, when all exclusive work asked for earlier is done. */
  async shared<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#shared = Promise.all([this.#shared, result.catch(() => undefined)]);
    return await result;
  }

  /** Throws when the store is closed, or inside a unit of work, which would wait for itself. */
  requireOutside(): void {
    if (this.#closing) throw new UnavailableError('The store is closed.');
    this.#scope.refuseInside();
  }

  send(command: Command, transferred?: Transferable[]): Promise<unknown> {
    return this.#thread.send(command, transferred);
  }

  /** Lets all work end, then waits for `last`, then ends the thread. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.all([this.#last, this.#shared])
      .then(last)
      .then(() => this.#thread.stop({ kind: 'close' }));
    return this.#closing;
  }
}
