import type { Connections } from '../connections.ts';
import { PURGE_PAUSE_MS } from '../tuning.ts';
import { purgeRows } from './purge.ts';

/** Purges in small steps while the store is open; the next start continues. */
export class Purging {
  readonly #connections: Connections;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  start(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => void this.#step(), PURGE_PAUSE_MS).unref();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  async #step(): Promise<void> {
    const { granuleWrites } = this.#connections;
    // Nothing is lost when the database is away: the next purge or the next start goes on.
    const isMore = await this.#connections.atomically(granuleWrites, 'BEGIN', purgeRows).catch(() => false);
    this.#timer = undefined;
    if (isMore) this.start();
  }
}
