import type { Client } from 'pg';
import { type Listener, Listeners } from '../listeners.ts';
import type { Connections } from './connections.ts';
import { CHANNEL } from './session.ts';

const RETRY_MS = 300;

/** Tells who listens which kapsules have changed: at once after this instance's commits, by notices after others'. */
export class ChangeFeed {
  readonly #connections: Connections;
  readonly #listeners = new Listeners();
  #marks: Map<string, string> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  listen(listener: Listener): () => void {
    return this.#listeners.add(listener);
  }

  /** After a commit of this instance. */
  changed(kapsuleIds: Iterable<string>): void {
    for (const kapsuleId of kapsuleIds) this.#listeners.tell(kapsuleId);
  }

  async start(): Promise<void> {
    const client = await this.#connections.connectApart();
    client.on('notification', ({ payload = '' }) => {
      const [sender, kapsuleId = ''] = payload.split(' ');
      if (sender !== this.#connections.name) this.#listeners.tell(kapsuleId);
    });
    client.on('end', () => this.#startAgain());
    await client.query(`LISTEN ${CHANNEL}`);
    await this.#tellMissed(client);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#retry);
  }

  #startAgain(): void {
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.start().catch(() => this.#startAgain());
    }, RETRY_MS).unref();
  }

  /** Notices of the time without a connection are lost: whatever differs from the last time it began may be new. */
  async #tellMissed(client: Client): Promise<void> {
    const { rows } = await client.query<{ id: string; mark: string }>(`
      SELECT kapsule_id AS id, concat_ws(',', kapsule, last_change, total, reloaded_through) AS mark
      FROM kapsule_data.granule_counts`);
    const before = this.#marks;
    this.#marks = new Map(rows.map(({ id, mark }) => [id, mark]));
    if (!before) return;
    const all = new Set([...before.keys(), ...this.#marks.keys()]);
    for (const id of all) if (before.get(id) !== this.#marks.get(id)) this.#listeners.tell(id);
  }
}
