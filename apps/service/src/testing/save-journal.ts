import { setTimeout } from 'node:timers/promises';
import type { Instance } from './service-on.ts';

/** A pause after each save: without it the writers would take the processor that a recovery needs. */
const PAUSE_MS = 20;

interface Target {
  service: Pick<Instance, 'call'>;
  token: string;
  /** A kapsule with the text field `comment`, in which nothing else writes. */
  kapsuleId: string;
}

type Row = { key: string; data: { comment: string } };

/** The findings of a check; after a sound run all lists are empty. */
interface JournalCheck {
  acknowledged: number;
  /** Acknowledged rows that are not stored. */
  lost: string[];
  /** Writers with a save of which only one of the two rows is stored, or an older one. */
  torn: string[];
  /** Rows without an entry in the audit trail, and entries without their row. */
  unaudited: string[];
  /** Statuses other than 200 and 503, each once. */
  unexpected: number[];
}

/**
 * Several writers that save granules over HTTP, and the journal of the saves that were acknowledged. A save stores a new
 * row and counts up one row of its writer, which distinguishes lost, torn and overtaken saves.
 *
 *     const journal = new SaveJournal({ service, token, kapsuleId });
 *     journal.start(6);
 *     await journal.grows(5); // … kill the database, start it again …
 *     await journal.stop();
 *     expect(await journal.check()).toEqual(journal.sound);
 */
export class SaveJournal {
  readonly #target: Target;
  /** For each writer the numbers of its acknowledged saves, in order. */
  readonly #acknowledged = new Map<string, number[]>();
  readonly #unexpected = new Set<number>();
  readonly #writers: Promise<void>[] = [];
  #isStopping = false;

  constructor(target: Target) {
    this.#target = target;
  }

  get acknowledged(): number {
    return [...this.#acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** The answer of `check` when every promise was kept. */
  get sound(): JournalCheck {
    return { acknowledged: this.acknowledged, lost: [], torn: [], unaudited: [], unexpected: [] };
  }

  start(writers: number): void {
    for (let n = 1; n <= writers; n += 1) this.#writers.push(this.#saveOn(`writer ${n}`));
  }

  /** Resolves after `count` further acknowledged saves. */
  async grows(count: number): Promise<void> {
    for (const goal = this.acknowledged + count; this.acknowledged < goal; ) {
      if (this.#isStopping) throw new Error('The writers have been stopped.');
      await Promise.race([setTimeout(PAUSE_MS), ...this.#writers]);
    }
  }

  /** Resolves when the last save has its answer; rejects when one of them got none. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all(this.#writers);
  }

  /** Compares the journal with the rows and the audit trail that the service answers now. */
  async check(): Promise<JournalCheck> {
    const rows = await this.#rows();
    const audited = await this.#auditedKeys();
    const lost: string[] = [];
    const torn: string[] = [];
    for (const [writer, numbers] of this.#acknowledged) {
      lost.push(...numbers.map((n) => `${writer}/${n}`).filter((key) => !rows.has(key)));
      // A save that was answered with 503 may be stored; then both of its rows are.
      const last = Number(rows.get(writer) ?? 0);
      const isStored = last === 0 || rows.has(`${writer}/${last}`);
      if (!isStored || last < (numbers.at(-1) ?? 0) || rows.has(`${writer}/${last + 1}`)) torn.push(writer);
    }
    return {
      acknowledged: this.acknowledged,
      lost,
      torn,
      unaudited: [...audited, ...rows.keys()].filter((key) => !audited.has(key) || !rows.has(key)),
      unexpected: [...this.#unexpected],
    };
  }

  async #saveOn(writer: string): Promise<void> {
    const { service, token, kapsuleId } = this.#target;
    const numbers: number[] = [];
    this.#acknowledged.set(writer, numbers);
    for (let n = 1; !this.#isStopping; n += 1) {
      const data = { comment: String(n) };
      const body = {
        granules: [
          { key: `${writer}/${n}`, data },
          { key: writer, data },
        ],
      };
      const { status } = await service.call('PUT', `/api/kapsule/${kapsuleId}/granules`, { token, body });
      if (status === 200) numbers.push(n);
      else if (status !== 503) this.#unexpected.add(status);
      await setTimeout(PAUSE_MS);
    }
  }

  async #rows(): Promise<Map<string, string>> {
    const { service, token, kapsuleId } = this.#target;
    const { list } = await service.call('GET', `/api/kapsule/${kapsuleId}/sql/read/internal`, { token });
    return new Map((list as Row[]).map(({ key, data }) => [key, data.comment]));
  }

  /** The keys that the audit trail names for saves of this kapsule. */
  async #auditedKeys(): Promise<Set<string>> {
    const { service, token, kapsuleId } = this.#target;
    const keys = new Set<string>();
    for (let before = ''; before !== 'null'; ) {
      const query = `target=kapsule:${kapsuleId}&action=granule.upsert&limit=200${before && `&before=${before}`}`;
      const { body } = await service.call('GET', `/api/audit?${query}`, { token });
      for (const { after } of body['data'] as { after: { keys: string[] } }[])
        for (const key of after.keys) keys.add(key);
      before = String(body['next']);
    }
    return keys;
  }
}
