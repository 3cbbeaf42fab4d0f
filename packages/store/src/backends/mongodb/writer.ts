import { setTimeout } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import type { PoolUse } from '../../store.ts';
import { UnitScope } from '../shared/unit-scope.ts';
import { commit, recover, takeBack } from './commit.ts';
import type { Database } from './database.ts';
import { type Lease, LeaseQueue } from './lease.ts';
import { type Needs, PendingWrites } from './pending-writes.ts';
import { COMMIT_GROUP_WRITES, LEASE_HELD_MS, LEASE_PAUSE_MS, RECOVERY_RETRY_MS } from './tuning.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';

type Work = (pending: PendingWrites, lease: Lease) => Promise<unknown>;

interface Job {
  work: Work;
  /** It runs a caller's code or writes much, so it shares its commit with no other write. */
  isAlone: boolean;
  needs: Needs | undefined;
  resolve: (value: unknown) => void;
  reject: (error: unknown) => void;
}

/** Runs all writes of this process one after another; small ones that wait meanwhile share one commit. */
export class Writer {
  readonly #database: Database;
  readonly #leases: LeaseQueue;
  readonly #committed: (touched: PendingWrites['touched']) => void;
  readonly #scope = new UnitScope();
  readonly #queue: Job[] = [];
  #working: Promise<void> | undefined;
  #recovering: Promise<void> | undefined;
  #isClosing = false;

  constructor(database: Database, committed: (touched: PendingWrites['touched']) => void) {
    this.#database = database;
    this.#leases = new LeaseQueue(database);
    this.#committed = committed;
  }

  /** `needs` says what the work will read: a group reads that together. */
  async write<T>(
    work: (pending: PendingWrites, lease: Lease) => Promise<T>,
    isAlone = false,
    needs?: Needs,
  ): Promise<T> {
    if (this.#isClosing) throw new UnavailableError('The store is closed.');
    this.#scope.refuseInside();
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const job = { work, isAlone, needs, resolve, reject };
    const begin = () => {
      this.#queue.push(job);
      this.#working ??= this.#workOff();
      return promise;
    };
    return (await this.#database.whileAnswering(begin, () => this.#forget(job))) as T;
  }

  get pool(): PoolUse {
    return { name: 'writer', busy: this.#working ? 1 : 0, waiting: this.#queue.length };
  }

  /** Applies the journal that a dead instance left. */
  async recover(): Promise<void> {
    await this.write(async () => undefined);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.#working;
    await this.#recovering;
  }

  /** Takes a job that has not begun out of the queue. */
  #forget(job: Job): void {
    const index = this.#queue.indexOf(job);
    if (index !== -1) this.#queue.splice(index, 1);
  }

  async #workOff(): Promise<void> {
    while (this.#queue.length > 0) {
      try {
        await this.#database.run(() => this.#withLease());
      } catch (error) {
        // Without the lease nothing can be written, so every waiting job is rejected now.
        for (const job of this.#queue.splice(0)) job.reject(error);
        if (this.#database.readBarrier.isClosed) this.#recovering ??= this.#untilRecovered();
      }
      if (this.#queue.length > 0) await setTimeout(LEASE_PAUSE_MS);
    }
    this.#working = undefined;
  }

  async #withLease(): Promise<void> {
    const lease = await this.#leases.acquire();
    try {
      // Another instance may have applied the journal: reads need not wait, whatever this one may still write.
      if (lease.head.applied >= lease.head.mark) this.#database.readBarrier.open();
      // Another instance has changed the active schema: from now on this one follows it, or writes no more.
      if (lease.head.schema !== this.#database.schemaRevision) await readActiveSchema(this.#database);
      await recover(this.#database, lease);
      const end = performance.now() + LEASE_HELD_MS;
      // A commit releases the lease when the queue is empty; a job that arrives then acquires the next one.
      while (this.#queue.length > 0 && !lease.isOver && performance.now() < end) await this.#doGroup(lease);
      await lease.release();
    } finally {
      lease.end();
    }
  }

  async #doGroup(lease: Lease): Promise<void> {
    const pending = new PendingWrites(this.#database);
    const done: (() => void)[] = [];
    const jobs = this.#nextGroup();
    try {
      const needs = jobs.flatMap((job) => job.needs ?? []);
      if (needs.length > 0) await this.#database.run(() => pending.preload(needs));
      for (const job of jobs) {
        try {
          const value = await this.#do(job, pending, lease);
          done.push(() => job.resolve(value));
        } catch (error) {
          job.reject(error);
          if (job.isAlone) return await this.#abandon(lease);
        }
      }
      await this.#database.run(() => commit(pending, lease, () => this.#queue.length === 0));
    } catch (error) {
      for (const job of jobs) job.reject(error);
      throw error;
    }
    for (const settle of done) settle();
    this.#committed(pending.touched);
    for (const work of pending.afterwards) work().catch(() => undefined);
  }

  #nextGroup(): Job[] {
    const end = this.#queue[0]?.isAlone ? 1 : this.#queue.findIndex((job) => job.isAlone);
    return this.#queue.splice(0, Math.min(end === -1 ? this.#queue.length : end, COMMIT_GROUP_WRITES));
  }

  async #do({ work }: Job, pending: PendingWrites, lease: Lease): Promise<unknown> {
    return await this.#scope.run(() => this.#database.run(() => pending.step(() => work(pending, lease))));
  }

  /** Removes the granules that a large unit wrote before its commit. */
  async #abandon(lease: Lease): Promise<void> {
    if (lease.head.touching.length > 0) await takeBack(this.#database, lease);
  }

  /** Reads wait for it, so it does not wait for the next write. */
  async #untilRecovered(): Promise<void> {
    while (this.#database.readBarrier.isClosed && !this.#isClosing) {
      await setTimeout(RECOVERY_RETRY_MS);
      // The database may still be unreachable.
      await this.recover().catch(() => undefined);
    }
    this.#recovering = undefined;
  }
}
