import { AsyncLocalStorage } from 'node:async_hooks';
import type { Transferable } from 'node:worker_threads';
import { UnavailableError } from '../../errors.ts';
import type { Command } from './messages.ts';
import { Thread } from './thread.ts';

/** The near side of the writer's thread: lets one user after another have it to themselves. */
export class Writer {
  readonly #thread: Thread<Command>;
  readonly #holder = new AsyncLocalStorage<{ done: boolean }>();
  #last: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(file: string) {
    this.#thread = new Thread(new URL('./writer-worker.ts', import.meta.url), file);
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

  send(command: Command, transferred?: Transferable[]): Promise<unknown> {
    return this.#thread.send(command, transferred);
  }

  /** Lets all work end, then waits for `last`, then ends the thread. */
  close(last: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#last.then(last).then(() => this.#thread.stop({ kind: 'close' }));
    return this.#closing;
  }
}
