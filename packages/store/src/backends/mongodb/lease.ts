import { setTimeout } from 'node:timers/promises';
import type { ClientSession, UpdateFilter } from 'mongodb';
import { UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Database } from './database.ts';
import type { Head } from './shapes.ts';
import {
  LEASE_EXPIRES_MS,
  LEASE_GIVE_UP_MS,
  LEASE_HOLDER_STOPS_MS,
  LEASE_RENEWAL_MS,
  LEASE_WAIT_MS,
  OWN_LEASE_EXPIRES_MS,
} from './tuning.ts';

/*
 * One lease for all instances: its holder is the only writer. The document `head` names the holder and counts renewals
 * in `beat`. The lease expires when that counter has not moved for 5 s of the waiting instance's local time, so clocks
 * of two hosts are never compared; the holder itself stops writing after 3 s without a renewal.
 */

/** Acquires the lease for this instance. */
export class LeaseQueue {
  readonly #database: Database;
  readonly #instance = newId();
  #leases = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Waits for the lease; its head has what the previous holder left unfinished. */
  async acquire(): Promise<Lease> {
    const session = this.#database.client.startSession();
    try {
      return await this.#acquireWith(session);
    } catch (error) {
      await session.endSession().catch(() => undefined);
      throw error;
    }
  }

  async #acquireWith(session: ClientSession): Promise<Lease> {
    const started = performance.now();
    let seen = { beat: -1, holder: '', at: started };
    for (;;) {
      const holder = `${this.#instance}/${++this.#leases}`;
      const won = await this.#acquire({ holder: null }, holder, session);
      if (won) return won;
      const head = await this.#database.head.findOne({ _id: 'head' }, { projection: { journal: 0 } });
      if (!head)
        throw new UnavailableError('The database has been emptied under the service; start it again.');
      const now = performance.now();
      if (head.beat !== seen.beat || head.holder !== seen.holder) {
        seen = { beat: head.beat, holder: head.holder ?? '', at: now };
      }
      const isOurs = seen.holder.startsWith(`${this.#instance}/`);
      if (now - seen.at > (isOurs ? OWN_LEASE_EXPIRES_MS : LEASE_EXPIRES_MS)) {
        // Before the lease is taken: that transaction may have changed the head, and would block this change of it.
        await this.#database.abortTransactionOf(head.session);
        const taken = await this.#acquire({ holder: head.holder, beat: head.beat }, holder, session);
        if (taken) return taken;
      }
      if (now - started > LEASE_GIVE_UP_MS)
        throw new UnavailableError('The database is held by another instance.');
      await setTimeout(LEASE_WAIT_MS + Math.random() * LEASE_WAIT_MS);
    }
  }

  async #acquire(from: Partial<Head>, holder: string, session: ClientSession): Promise<Lease | undefined> {
    const sent = performance.now();
    const { id } = session;
    const head = await this.#database.head.findOneAndUpdate(
      { _id: 'head', ...from },
      { $set: { holder, ...(id && { session: id.id }) }, $inc: { beat: 1 } },
      { returnDocument: 'after' },
    );
    return head ? new Lease(this.#database, head, session, sent) : undefined;
  }
}

/** The right to write until it is released or expires. */
export class Lease {
  readonly head: Head;
  /** The session of its transactions; the next holder aborts them by it. */
  readonly session: ClientSession;
  readonly #database: Database;
  readonly #holder: string | null;
  readonly #timer: NodeJS.Timeout;
  #renewedAt: number;
  #isOver = false;
  #isRenewalHeldBack = false;

  /** `sent` is when it was asked for: while the answer was under way, it may have expired. */
  constructor(database: Database, head: Head, session: ClientSession, sent: number) {
    this.#renewedAt = sent;
    this.head = head;
    this.session = session;
    this.#database = database;
    this.#holder = head.holder;
    this.#timer = globalThis.setInterval(() => void this.#renew(), LEASE_RENEWAL_MS);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get filter(): { _id: 'head'; holder: string | null } {
    return { _id: 'head', holder: this.#holder };
  }

  /** Throws when this holder could not renew in time, for example because its process was suspended. */
  requireHeld(): void {
    if (this.#isOver || performance.now() - this.#renewedAt > LEASE_HOLDER_STOPS_MS) throw lost();
  }

  /** Changes the head and thereby renews the lease; throws when another instance holds it. */
  async update(change: Partial<Head>, isDurable = false): Promise<void> {
    this.requireHeld();
    // An empty $set is an error to older servers.
    const set = Object.keys(change).length > 0 ? { $set: change } : {};
    const update: UpdateFilter<Head> = { ...set, $inc: { beat: 1 } };
    const options = isDurable ? { writeConcern: { w: 'majority' as const, j: true } } : {};
    const sent = performance.now();
    const { matchedCount } = await this.#database.head.updateOne(this.filter, update, options);
    if (matchedCount === 0) throw lost();
    // A later renewal may have been answered before.
    this.#renewedAt = Math.max(this.#renewedAt, sent);
    Object.assign(this.head, change);
  }

  async release(): Promise<void> {
    if (!this.#isOver) await this.update({ holder: null });
    this.end();
  }

  end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.session.endSession().catch(() => undefined);
  }

  /** Changes the head as part of a transaction, which fails when another instance holds the lease. */
  async updateInTransaction(change: Partial<Head>): Promise<void> {
    const update: UpdateFilter<Head> = { $set: change, $inc: { beat: 1 } };
    const { session } = this;
    const { matchedCount } = await this.#database.head.updateOne(this.filter, update, { session });
    if (matchedCount === 0) throw lost();
  }

  /** Holds renewals back: one during a transaction that changes the head would collide with it. */
  async withoutRenewal(work: () => Promise<void>): Promise<void> {
    this.#isRenewalHeldBack = true;
    const sent = performance.now();
    await work();
    this.#renewedAt = sent;
    this.#isRenewalHeldBack = false;
  }

  async #renew(): Promise<void> {
    if (this.#isOver || this.#isRenewalHeldBack || performance.now() - this.#renewedAt < LEASE_RENEWAL_MS)
      return;
    // A failed renewal shows in the unit's next step.
    await this.update({}).catch(() => undefined);
  }
}

const lost = () =>
  new UnavailableError(
    'The unit of work was rolled back, because the database was out of reach; try it again.',
  );
