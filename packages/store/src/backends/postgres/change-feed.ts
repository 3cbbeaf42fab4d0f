import type { Client } from 'pg';
import type { Connections } from './connections.ts';
import { CHANNEL } from './session.ts';

const RETRY_MS = 300;

type Listener = (kapsuleId: string) => void;

/** Tells who listens which kapsules have changed: at once after this instance's commits, by notices after others'. */
export class ChangeFeed {
  readonly #connections: Connections;
  readonly #listeners = new Set<Listener>();
  #marks: Map<string, string> | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  listen(listener: Listener): () => void {
    // A function of its own, so that the same listener may listen twice.
    const own: Listener = (kapsuleId) => listener(kapsuleId);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  /** After a commit of this instance. */
  changed(kapsuleIds: Iterable<string>): void {
    for (const kapsuleId of kapsuleIds) this.#tell(kapsuleId);
  }

  async start(): Promise<void> {
    const client = await this.#connections.connectApart();
    client.on('notification', ({ payload = '' }) => {
      const [sender, kapsuleId = ''] = payload.split(' ');
      if (sender !== this.#connections.name) this.#tell(kapsuleId);
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
    for (const id of all) if (before.get(id) !== this.#marks.get(id)) this.#tell(id);
  }

  #tell(kapsuleId: string): void {
    // Later, so that a listener that throws can't make a committed change look like a failure.
    for (const listener of this.#listeners) queueMicrotask(() => listener(kapsuleId));
  }
}
