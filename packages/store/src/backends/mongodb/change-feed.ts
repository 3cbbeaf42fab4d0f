import { type Listener, Listeners } from '../shared/listeners.ts';
import type { Database } from './database.ts';
import type { Counter } from './shapes.ts';
import { CHANGE_POLL_MS } from './tuning.ts';

/** Notifies listeners of changed kapsules: directly after commits of this process, by polling after those of others. */
export class ChangeFeed {
  readonly #database: Database;
  readonly #listeners = new Listeners();
  #marks = new Map<string, string | undefined>();
  /** The marks of what this process has committed since the present poll began. */
  readonly #own = new Map<string, string | undefined>();
  #applied = -1;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  listen(listener: Listener): () => void {
    if (this.#listeners.isEmpty) this.#start();
    const end = this.#listeners.add(listener);
    return () => {
      end();
      if (this.#listeners.isEmpty) this.stop();
    };
  }

  /** After a commit of this process, with the counters that it has stored; undefined for a purged kapsule. */
  changed(committed: ReadonlyMap<string, Counter | undefined>): void {
    for (const [kapsuleId, counter] of committed) {
      // The mark of this commit: the next poll notifies only of later changes, those of others.
      const mark = counter && markOf(counter);
      this.#marks.set(kapsuleId, mark);
      this.#own.set(kapsuleId, mark);
      this.#listeners.tell(kapsuleId);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #start(): void {
    this.#applied = -1;
    void this.#poll();
    this.#timer = setInterval(() => void this.#poll(), CHANGE_POLL_MS).unref();
  }

  async #poll(): Promise<void> {
    // The database can't be read just now: the next poll compares with the same marks.
    this.#reading ??= this.#read().catch(() => undefined);
    await this.#reading;
    this.#reading = undefined;
  }

  async #read(): Promise<void> {
    const isFirst = this.#applied === -1;
    const head = await this.#database.read(() =>
      this.#database.head.findOne({ _id: 'head' }, { projection: { applied: 1 } }),
    );
    if (!head || head.applied === this.#applied) return;
    this.#own.clear();
    const counters = await this.#database.read(() =>
      this.#database.counters.find({ lastChange: { $gt: 0 } }).toArray(),
    );
    const before = this.#marks;
    this.#marks = new Map([
      ...counters.map((counter) => [counter._id, markOf(counter)] as const),
      ...this.#own,
    ]);
    // The counters read for these kapsules may be older than the commits of this process, or newer: the next poll reads again.
    this.#applied = this.#own.size > 0 ? Number.NaN : head.applied;
    if (isFirst) return;
    for (const id of new Set([...before.keys(), ...this.#marks.keys()]))
      if (before.get(id) !== this.#marks.get(id)) this.#listeners.tell(id);
  }
}

/** Another text after every change of the kapsule. */
function markOf({ k, lastChange, total, reloadedThrough }: Counter): string {
  return [k, lastChange, total, reloadedThrough].join();
}
