import type { Client } from 'pg';
import { UnavailableError } from '../../errors.ts';
import { type Listener, Listeners } from '../shared/listeners.ts';
import type { Connections } from './connections.ts';
import { destroySocket } from './destroy-socket.ts';
import { CHANNEL, Session } from './session.ts';
import { ANNOUNCE_MS, CHANGE_POLL_MS, LISTEN_RETRY_MS } from './tuning.ts';
import { refuseNewer, steps } from './upgrades/migrations.ts';
import { announceVersion } from './upgrades/schema-state.ts';

interface Mark {
  id: string;
  mark: string;
}

/** The first import of a kapsule makes its counter before it stores a row: that is no change yet. */
const MARKS = `
  SELECT kapsule_id AS id, concat_ws(',', kapsule, last_change, total, reloaded_through) AS mark
  FROM kapsule_data.granule_counts WHERE last_change > 0`;

/** Notifies listeners of changed kapsules: directly after commits of this instance, by NOTIFY after those of others. */
export class ChangeFeed {
  readonly #connections: Connections;
  readonly #listeners = new Listeners();
  #marks: Map<string, string> | undefined;
  #client: Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #isStopped = false;
  readonly #toAnnounce = new Set<string>();

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

  /** Tells the other instances of a commit that did not do so itself. */
  announce(kapsuleId: string): void {
    if (this.#toAnnounce.size === 0) setTimeout(() => this.#announceAll(), ANNOUNCE_MS).unref();
    this.#toAnnounce.add(kapsuleId);
  }

  async start(): Promise<void> {
    const client = await this.#connections.connectApart(true);
    client.on('notification', ({ payload = '' }) => {
      const [sender, kapsuleId = ''] = payload.split(' ');
      if (sender !== this.#connections.name) this.#listeners.tell(kapsuleId);
    });
    try {
      // The lock ends with the connection; a newer version may have changed the schema before it is held again.
      await client.query(announceVersion(steps.length));
      await refuseNewer(new Session(client, this.#connections.name), this.#connections);
      await client.query(`LISTEN ${CHANNEL}`);
      this.#tellMissed((await client.query<Mark>(MARKS)).rows);
    } catch (error) {
      void this.#connections.leaveApart(client);
      if (error instanceof UnavailableError) this.#connections.outdated = error;
      throw error;
    }
    client.on('end', () => this.#startAgain());
    this.#client = client;
    this.#poll ??= setInterval(() => void this.#pollMarks(), CHANGE_POLL_MS).unref();
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
    clearInterval(this.#poll);
  }

  #announceAll(): void {
    const notices = [...this.#toAnnounce].map((kapsuleId) => `${this.#connections.name} ${kapsuleId}`);
    this.#toAnnounce.clear();
    const sql = `SELECT pg_notify('${CHANNEL}', notice) FROM unnest($1::text[]) AS notice`;
    // When it fails, the others find the change by their poll.
    this.#connections.read((session) => session.run(sql, notices)).catch(() => undefined);
  }

  async #pollMarks(): Promise<void> {
    if (this.#listeners.isEmpty) return;
    const marks = this.#connections.read((session) => session.all<Mark>(MARKS));
    await marks.then((rows) => this.#tellMissed(rows)).catch(() => undefined);
  }

  #startAgain(): void {
    this.#client = undefined;
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.start().catch(() => this.#startAgain());
    }, LISTEN_RETRY_MS).unref();
  }

  /** NOTIFY can be lost, so every difference since the last poll counts as a change. */
  #tellMissed(rows: readonly Mark[]): void {
    const before = this.#marks;
    this.#marks = new Map(rows.map(({ id, mark }) => [id, mark]));
    if (!before) return;
    const all = new Set([...before.keys(), ...this.#marks.keys()]);
    for (const id of all) if (before.get(id) !== this.#marks.get(id)) this.#listeners.tell(id);
  }
}
