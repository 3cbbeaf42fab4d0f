import type { Database } from './database.ts';
import type { Counter } from './shapes.ts';

const POLL_MS = 400;

type Listener = (kapsuleId: string) => void;

/** Tells who listens which kapsules have changed: at once after this process's commits, by polling after others'. */
export class ChangeFeed {
  readonly #database: Database;
  readonly #listeners = new Set<Listener>();
  #known = new Map<string, string>();
  #applied = -1;
  #timer: NodeJS.Timeout | undefined;
  #reading: Promise<void> | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  listen(listener: Listener): () => void {
    // A function of its own, so that the same listener may listen twice.
    const own: Listener = (kapsuleId) => listener(kapsuleId);
    if (this.#listeners.size === 0) this.#start();
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
      if (this.#listeners.size === 0) this.stop();
    };
  }

  /** After a commit of this process. */
  changed(kapsuleIds: Iterable<string>): void {
    for (const kapsuleId of kapsuleIds) {
      // Unknown from here on, so that the next poll takes it as it is and does not tell it again.
      this.#known.set(kapsuleId, TOLD);
      this.#tell(kapsuleId);
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
    const counters = await this.#database.read(() => this.#database.counters.find().toArray());
    const ours = this.#known;
    this.#known = new Map(counters.map((counter) => [counter._id, markOf(counter)]));
    for (const id of ours.keys()) this.#known.set(id, TOLD);
    this.#applied = head.applied;
    if (isFirst) return;
    for (const id of new Set([...told.keys(), ...this.#known.keys()])) {
      const isOurs = told.get(id) === TOLD || ours.has(id);
      if (!isOurs && told.get(id) !== this.#known.get(id)) this.#tell(id);
    }
  }

  #tell(kapsuleId: string): void {
    // Later, so that a listener that throws can't make a committed change look like a failure.
    for (const listener of this.#listeners) queueMicrotask(() => listener(kapsuleId));
  }
}

/** What this process has told already; its mark is not known yet. */
const TOLD = 'told';

/** Another text after every change of the kapsule. */
function markOf({ k, lastChange, total, reloadedThrough }: Counter): string {
  return [k, lastChange, total, reloadedThrough].join();
}
