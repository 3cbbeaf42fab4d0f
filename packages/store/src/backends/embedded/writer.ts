import type { Transferable } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import { UnitScope } from '../shared/unit-scope.ts';
import type { Command } from './messages.ts';
import { Thread } from './thread.ts';

/** The main thread's side of the writer thread: runs one piece of work at a time. */
export class Writer {
  readonly #thread: Thread<Command>;
  readonly #scope = new UnitScope();
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(file: string) {
    this.#thread = new Thread(new URL('./writer-worker.ts', import.meta.url), file);
  }

  /** Runs the work when all work asked for earlier is done. */
  async exclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new UnavailableError('The store is closed.');
    this.#scope.refuseInside();
    const result = this.#last.then(() => this.#scope.run(work));
    this.#last = result.catch(() => undefined);
    return await result;
  }

  send(command: Command, transferred?: Transferable[]): Promise<unknown> {
    return this.#thread.send(command, transferred);
  }

  /** Lets all work end, then waits for `last`, then ends the thread. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#last.then(last).then(() => this.#thread.stop({ kind: 'close' }));
    return this.#closing;
  }
}
