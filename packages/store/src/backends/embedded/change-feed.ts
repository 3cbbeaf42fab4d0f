import { type Listener, Listeners } from '../shared/listeners.ts';
import type { Connection } from './connection.ts';
import { type Counter, findCounter } from './granules/counters.ts';
import { CHANGE_POLL_MS } from './tuning.ts';

/** Notifies listeners of changed kapsules: directly after commits of this process, by polling after those of others. */
export class ChangeFeed {
  readonly #connection: Connection;
  readonly #listeners = new Listeners();
  #marks = new Map<string, string>();
  #dataVersion = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
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
    if (this.#listeners.isEmpty) return;
    for (const kapsuleId of kapsuleIds) {
      // Recorded here, so that the next poll does not notify again.
      const counter = findCounter(this.#connection, kapsuleId);
      if (counter && counter.lastChange > 0) this.#marks.set(kapsuleId, markOf(counter));
      else this.#marks.delete(kapsuleId);
      this.#listeners.tell(kapsuleId);
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #start(): void {
    this.#marks = this.#readMarks();
    this.#dataVersion = this.#readDataVersion();
    this.#timer = setInterval(() => this.#poll(), CHANGE_POLL_MS).unref();
  }

  #poll(): void {
    try {
      const version = this.#readDataVersion();
      if (version === this.#dataVersion) return;
      const before = this.#marks;
      this.#marks = this.#readMarks();
      this.#dataVersion = version;
      const all = new Set([...before.keys(), ...this.#marks.keys()]);
      for (const id of all) if (before.get(id) !== this.#marks.get(id)) this.#listeners.tell(id);
    } catch {
      // The database can't be read just now: the next poll compares with the same marks.
    }
  }

  #readDataVersion(): number {
    return (this.#connection.get('PRAGMA data_version') as { data_version: number }).data_version;
  }

  #readMarks(): Map<string, string> {
    // The first import of a kapsule makes its counter before it stores a row: that is no change yet.
    const counters = this.#connection.all<Counter>('SELECT * FROM granule_counts WHERE lastChange > 0');
    return new Map(counters.map((counter) => [counter.kapsuleId, markOf(counter)]));
  }
}

/** Another text after every change of the kapsule. */
function markOf({ kapsule, lastChange, total, reloadedThrough }: Counter): string {
  return [kapsule, lastChange, total, reloadedThrough].join();
}
