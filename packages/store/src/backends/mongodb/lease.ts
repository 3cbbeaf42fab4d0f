import { setTimeout } from 'node:timers/promises';
import type { ClientSession, UpdateFilter } from 'mongodb';
import { UnavailableError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import type { Database } from './database.ts';
import type { Head } from './shapes.ts';

/*
 * One writer at a time, over all instances: whoever's name stands in the head document. It shows that it lives by
 * moving the beat. Nobody compares clocks: a waiting instance watches the beat on its own clock and takes over when it
 * has stood still; the holder stops by itself well before that.
 */

const BEAT_MS = 500;
/** A holder that could not move its beat for so long writes nothing more … */
const HOLDER_LIMIT_MS = 3_000;
/** … and after so long another one takes its place. */
const TAKE_OVER_MS = 5_000;
/** Our own lost turn: what we had sent has reached the server by then, or never will. */
const OWN_TAKE_OVER_MS = 300;
const WAIT_MS = 4;
const GIVE_UP_MS = 45_000;

export class Lock {
  readonly #database: Database;
  readonly #instance = newId();
  #turns = 0;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Waits for the turn; the head tells what the holder before has left unfinished. */
  async acquire(): Promise<Turn> {
    const started = performance.now();
    let seen = { beat: -1, holder: '', at: started };
    for (;;) {
      const holder = `${this.#instance}/${++this.#turns}`;
      const won = await this.#take({ holder: null }, holder);
      if (won) return won;
      const head = await this.#database.head.findOne({ _id: 'head' }, { projection: { journal: 0 } });
      if (!head)
        throw new UnavailableError('The database has been emptied under the service; start it again.');
      const now = performance.now();
      if (head.beat !== seen.beat || head.holder !== seen.holder) {
        seen = { beat: head.beat, holder: head.holder ?? '', at: now };
      }
      const isOurs = seen.holder.startsWith(`${this.#instance}/`);
      if (now - seen.at > (isOurs ? OWN_TAKE_OVER_MS : TAKE_OVER_MS)) {
        const taken = await this.#take({ holder: head.holder, beat: head.beat }, holder);
        if (taken) return taken;
      }
      if (now - started > GIVE_UP_MS) throw new UnavailableError('The database is held by another instance.');
      await setTimeout(WAIT_MS + Math.random() * WAIT_MS);
    }
  }

  async #take(from: Partial<Head>, holder: string): Promise<Turn | undefined> {
    const head = await this.#database.head.findOneAndUpdate(
      { _id: 'head', ...from },
      { $set: { holder }, $inc: { beat: 1 } },
      { returnDocument: 'after' },
    );
    return head ? new Turn(this.#database, head, holder) : undefined;
  }
}

/** The right to write, until it is released or lost. */
export class Turn {
  readonly head: Head;
  readonly #database: Database;
  readonly #holder: string;
  readonly #timer: NodeJS.Timeout;
  #lastBeat = performance.now();
  #isOver = false;
  #isQuiet = false;

  constructor(database: Database, head: Head, holder: string) {
    this.head = head;
    this.#database = database;
    this.#holder = holder;
    this.#timer = globalThis.setInterval(() => void this.#beat(), BEAT_MS);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get filter(): { _id: 'head'; holder: string } {
    return { _id: 'head', holder: this.#holder };
  }

  /** Before everything that is written: whoever was stopped for too long must not go on. */
  requireHeld(): void {
    if (this.#isOver || performance.now() - this.#lastBeat > HOLDER_LIMIT_MS) throw lost();
  }

  /** Changes the head, if the turn is still ours. */
  async update(change: Partial<Head>, isDurable = false): Promise<void> {
    this.requireHeld();
    // An empty $set is an error to older servers.
    const set = Object.keys(change).length > 0 ? { $set: change } : {};
    const update: UpdateFilter<Head> = { ...set, $inc: { beat: 1 } };
    const options = isDurable ? { writeConcern: { w: 'majority' as const, j: true } } : {};
    const sent = performance.now();
    const { matchedCount } = await this.#database.head.updateOne(this.filter, update, options);
    if (matchedCount === 0) throw lost();
    this.#lastBeat = sent;
    Object.assign(this.head, change);
  }

  async release(): Promise<void> {
    if (!this.#isOver) await this.update({ holder: null });
    this.end();
  }

  end(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
  }

  /** As part of a transaction, which fails when the turn is another's. */
  async updateWithin(session: ClientSession, change: Partial<Head>): Promise<void> {
    const update: UpdateFilter<Head> = { $set: change, $inc: { beat: 1 } };
    const { matchedCount } = await this.#database.head.updateOne(this.filter, update, { session });
    if (matchedCount === 0) throw lost();
  }

  /** Without beats: while a transaction changes the head nobody else may, it would be a collision. */
  async quietly(work: () => Promise<void>): Promise<void> {
    this.#isQuiet = true;
    const sent = performance.now();
    await work();
    this.#lastBeat = sent;
    this.#isQuiet = false;
  }

  async #beat(): Promise<void> {
    if (this.#isOver || this.#isQuiet || performance.now() - this.#lastBeat < BEAT_MS) return;
    // A failure shows in the next step of the unit.
    await this.update({}).catch(() => undefined);
  }
}

const lost = () =>
  new UnavailableError(
    'The unit of work was rolled back, because the database was out of reach; try it again.',
  );
