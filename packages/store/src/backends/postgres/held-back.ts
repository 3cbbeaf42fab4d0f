import type { Connections } from './connections.ts';
import { putInForce } from './migrations.ts';

const EVERY_MS = 1_000;

/** Puts held-back changes in force once no other version uses the database. */
export class HeldBack {
  readonly #connections: Connections;
  #timer: NodeJS.Timeout | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  start(): void {
    if (this.#connections.schema.changes().length === 0) return;
    this.#timer = setInterval(() => void this.#try(), EVERY_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #try(): Promise<void> {
    // When the database is away, a later attempt goes on.
    await this.#connections.apart((session) => putInForce(session, this.#connections)).catch(() => undefined);
    if (this.#connections.schema.changes().length === 0) this.stop();
  }
}
