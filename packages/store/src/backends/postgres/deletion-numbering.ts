import type { Connections } from './connections.ts';
import { numberAllDeletions } from './granules/deletions.ts';
import { NUMBERING_MS, NUMBERING_PAUSE_FACTOR } from './tuning.ts';
import { steps } from './upgrades/migrations.ts';
import { isOtherVersionThere } from './upgrades/schema-state.ts';

/** Gives numbers to the deletions of earlier versions: those from before, and those that one makes during a rolling upgrade. */
export class DeletionNumbering {
  readonly #connections: Connections;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Deletions without a number may be there. */
  #isDue = true;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  start(): void {
    void this.#step();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #step(): Promise<void> {
    const began = performance.now();
    // When the database is away, a later step goes on.
    await this.#number().catch(() => undefined);
    if (this.#isStopped) return;
    const pause = Math.max(NUMBERING_MS, NUMBERING_PAUSE_FACTOR * (performance.now() - began));
    this.#timer = setTimeout(() => void this.#step(), pause).unref();
  }

  async #number(): Promise<void> {
    // Asked before: an earlier version that leaves meanwhile may have deleted something that was looked for already.
    const isOtherThere = await this.#connections.read((session) =>
      isOtherVersionThere(session, steps.length),
    );
    this.#isDue ||= isOtherThere;
    if (!this.#isDue) return;
    await numberAllDeletions(this.#connections);
    this.#isDue = isOtherThere;
  }
}
