import type { Client } from 'pg';
import { UnavailableError } from '../../errors.ts';
import { type Listener, Listeners } from '../shared/listeners.ts';
import { type Connections, destroySocket } from './connections.ts';
import { CHANNEL } from './session.ts';

const RETRY_MS = 300;

const MARKS = `
  SELECT kapsule_id AS id, concat_ws(',', kapsule, last_change, total, reloaded_through) AS mark
  FROM kapsule_data.granule_counts`;

/** Notifies listeners of changed kapsules: directly after commits of this instance, by NOTIFY after those of others. */
export class ChangeFeed {
  readonly #connections: Connections;
  readonly #listeners = new Listeners();
  #marks: Map<string, string> | undefined;
  #client: Client | undefined;
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
    const client = await this.#connections.connectApart(true);
    client.on('notification', ({ payload = '' }) => {
      const [sender, kapsuleId = ''] = payload.split(' ');
      if (sender !== this.#connections.name) this.#listeners.tell(kapsuleId);
    });
    try {
      await client.query(`LISTEN ${CHANNEL}`);
      await this.#tellMissed(client);
    } catch (error) {
      void this.#connections.leaveApart(client);
      throw error;
    }
    client.on('end', () => this.#startAgain());
    this.#client = client;
    this.#connections.breaker.recordAnswer();
  }

  /** On this connection, which is never busy. */
  async ask(): Promise<void> {
    if (!this.#client) throw new UnavailableError('There is no connection.');
    await this.#client.query('SELECT 1');
  }

  /** Notices may no longer come through. */
  renew(): void {
    if (this.#client) destroySocket(this.#client);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#retry);
  }

  #startAgain(): void {
    this.#client = undefined;
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.start().catch(() => this.#startAgain());
    }, RETRY_MS).unref();
  }

  /** Notices of the time without a connection are lost: whatever differs from the last time it began may be new. */
  async #tellMissed(client: Client): Promise<void> {
    const { rows } = await client.query<{ id: string; mark: string }>(MARKS);
    const before = this.#marks;
    this.#marks = new Map(rows.map(({ id, mark }) => [id, mark]));
    if (!before) return;
    const all = new Set([...before.keys(), ...this.#marks.keys()]);
    for (const id of all) if (before.get(id) !== this.#marks.get(id)) this.#listeners.tell(id);
  }
}
