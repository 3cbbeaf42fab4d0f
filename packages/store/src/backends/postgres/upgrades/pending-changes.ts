import type { Connections } from '../connections.ts';
import { PENDING_CHANGES_MS } from '../tuning.ts';
import { changeSchema } from './migrations.ts';

/** Makes pending changes of the schema once no other version uses the database. */
export class PendingChanges {
  readonly #connections: Connections;
  #timer: NodeJS.Timeout | undefined;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  start(): void {
    if (this.#connections.schema.changes().length === 0) return;
    this.#timer = setInterval(() => void this.#try(), PENDING_CHANGES_MS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async #try(): Promise<void> {
    // When the database is away, a later attempt goes on.
    await this.#connections
      .apart((session) => changeSchema(session, this.#connections))
      .catch(() => undefined);
    if (this.#connections.schema.changes().length === 0) this.stop();
  }
}
