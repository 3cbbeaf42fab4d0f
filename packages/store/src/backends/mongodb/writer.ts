import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import { commit, recover, takeBack } from './commit.ts';
import type { Database } from './database.ts';
import { Lock, type Turn } from './lease.ts';
import { Draft } from './pending-writes.ts';

/** After so long other instances get their chance. */
const TURN_MS = 100;
const PAUSE_MS = 8;
/** So many small writes are stored together at most. */
const GROUP = 500;
const RETRY_MS = 100;

type Work = (draft: Draft, turn: Turn) => Promise<unknown>;

interface Job {
  work: Work;
  /** Somebody else's code runs in it, or it writes much: nobody else's write waits for its end. */
  isAlone: boolean;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** All writes of this process, one after another; whatever waits meanwhile is stored together. */
export class Writer {
  readonly #database: Database;
  readonly #lock: Lock;
  readonly #committed: (kapsuleIds: string[]) => void;
  readonly #holder = new AsyncLocalStorage<{ done: boolean }>();
  readonly #queue: Job[] = [];
  #working: Promise<void> | undefined;
  #isClosing = false;

  constructor(database: Database, committed: (kapsuleIds: string[]) => void) {
    this.#database = database;
    this.#lock = new Lock(database);
    this.#committed = committed;
  }

  async write<T>(work: (draft: Draft, turn: Turn) => Promise<T>, isAlone = false): Promise<T> {
    if (this.#isClosing) throw new UnavailableError('The store is closed.');
    if (this.#holder.getStore()?.done === false) {
      // It would wait for itself until the unit's time is over.
      throw new Error('Inside a unit of work only the nouns handed to it may write.');
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job = { work, isAlone, resolve, reject };
    const begin = () => {
      this.#queue.push(job);
      this.#working ??= this.#workOff();
      return promise;
    };
    return (await this.#database.unlessSilent(begin, () => this.#forget(job))) as T;
  }

  /** Carries out what a dead instance has left. */
  async recover(): Promise<void> {
    await this.write(async () => undefined);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#working;
  }

  /** What has not begun yet never will. */
  #forget(job: Job): void {
    const place = this.#queue.indexOf(job);
    if (place !== -1) this.#queue.splice(place, 1);
  }

  async #workOff(): Promise<void> {
    while (this.#queue.length > 0) {
      try {
        await this.#database.run(() => this.#takeTurn());
      } catch (error) {
        // Without the lock nothing can be written; whoever waits shall hear of it now.
        for (const job of this.#queue.splice(0)) job.reject(error);
      }
      if (this.#queue.length > 0) await setTimeout(PAUSE_MS);
    }
    this.#working = undefined;
  }

  async #takeTurn(): Promise<void> {
    const turn = await this.#lock.acquire();
    try {
      await recover(this.#database, turn);
      const end = performance.now() + TURN_MS;
      // A commit releases the turn when nothing waits; what comes in that moment gets the next one.
      while (this.#queue.length > 0 && !turn.isOver && performance.now() < end) await this.#doGroup(turn);
      await turn.release();
    } finally {
      turn.end();
    }
  }

  async #doGroup(turn: Turn): Promise<void> {
    const draft = new Draft(this.#database);
    const done: (() => void)[] = [];
    const jobs = this.#nextGroup();
    try {
      for (const job of jobs) {
        try {
          const value = await this.#do(job, draft, turn);
          done.push(() => job.resolve(value));
        } catch (error) {
          job.reject(error);
          if (job.isAlone) return await this.#abandon(turn);
        }
      }
      await this.#database.run(() => commit(draft, turn, () => this.#queue.length === 0));
    } catch (error) {
      if (this.#database.gate) this.#database.gate = this.#untilRecovered();
      for (const job of jobs) job.reject(error);
      throw error;
    }
    for (const settle of done) settle();
    this.#committed(draft.touched);
    for (const work of draft.afterwards) work().catch(() => undefined);
  }

  #nextGroup(): Job[] {
    const end = this.#queue[0]?.isAlone ? 1 : this.#queue.findIndex((job) => job.isAlone);
    return this.#queue.splice(0, Math.min(end === -1 ? this.#queue.length : end, GROUP));
  }

  async #do({ work }: Job, draft: Draft, turn: Turn): Promise<unknown> {
    const holder = { done: false };
    try {
      return await this.#holder.run(holder, () =>
        this.#database.run(() => draft.step(() => work(draft, turn))),
      );
    } finally {
      holder.done = true;
    }
  }

  /** A large unit may have written some of its granules ahead. */
  async #abandon(turn: Turn): Promise<void> {
    if (turn.head.touching.length > 0) await takeBack(this.#database, turn);
  }

  /** Reads wait for it: a committed unit is not to be seen in halves. */
  async #untilRecovered(): Promise<void> {
    while (!this.#isClosing) {
      await setTimeout(RETRY_MS);
      try {
        await this.recover();
        return;
      } catch {
        // The database is still away.
      }
    }
  }
}
