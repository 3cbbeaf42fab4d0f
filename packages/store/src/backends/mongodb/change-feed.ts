import { type Listener, Listeners } from '../shared/listeners.ts';
import type { Database } from './database.ts';
import type { Counter } from './shapes.ts';

const POLL_MS = 400;

/** Notifies listeners of changed kapsules: directly after commits of this process, by polling after those of others. */
export class ChangeFeed {
  readonly #database: Database;
  readonly #listeners = new Listeners();
  #known = new Map<string, string>();
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

  /** After a commit of this process. */
  changed(kapsuleIds: Iterable<string>): void {
    for (const kapsuleId of kapsuleIds) {
      // Reset here, so that the next poll stores the mark without another notification.
      this.#known.set(kapsuleId, NOTIFIED);
      this.#listeners.tell(kapsuleId);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #start(): void {
    this.#applied = -1;
    void this.#poll();
    this.#timer = setInterval(() => void this.#poll(), POLL_MS).unref();
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
    const told = this.#known;
    this.#known = new Map();
    const counters = await this.#database.read(() =>
      this.#database.counters.find({ lastChange: { $gt: 0 } }).toArray(),
    );
    const ours = this.#known;
    this.#known = new Map(counters.map((counter) => [counter._id, markOf(counter)]));
    for (const id of ours.keys()) this.#known.set(id, NOTIFIED);
    this.#applied = head.applied;
    if (isFirst) return;
    for (const id of new Set([...told.keys(), ...this.#known.keys()])) {
      const isOurs = told.get(id) === NOTIFIED || ours.has(id);
      if (!isOurs && told.get(id) !== this.#known.get(id)) this.#listeners.tell(id);
    }
  }
}

/** Kapsules that this process has notified already, whose mark is not known yet. */
const NOTIFIED = 'notified';

/** Another text after every change of the kapsule. */
function markOf({ k, lastChange, total, reloadedThrough }: Counter): string {
  return [k, lastChange, total, reloadedThrough].join();
}
