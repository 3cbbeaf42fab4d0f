import { setImmediate } from 'node:timers/promises';
import type { StoredGranule } from '../../granules.ts';
import type { AuditRecord } from '../../nouns/audit.ts';
import type { ToSealRecord } from '../../nouns/to-seal.ts';
import type { Saved, Saving } from '../../saving.ts';
import type { PoolUse } from '../../store.ts';
import { firstVersion } from '../shared/document-versions.ts';
import { toRow } from '../shared/granule-row.ts';
import type { DirectSaves } from './direct-saves.ts';
import { fromFailure, type Outcome } from './messages.ts';
import type { SaveRequest } from './save.ts';
import { SAVE_MESSAGE_ROWS } from './tuning.ts';
import type { Writer } from './writer.ts';

interface Waiting {
  request: SaveRequest;
  resolve: (stored: StoredGranule[]) => void;
  reject: (error: unknown) => void;
}

/** Gathers the saves of one turn of the event loop; commits a few of them directly, others on the writer's thread. */
export class SaveQueue {
  readonly #writer: Writer;
  readonly #direct: DirectSaves;
  #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(writer: Writer, direct: DirectSaves) {
    this.#writer = writer;
    this.#direct = direct;
  }

  async save({ kapsuleId, rows, dependsOn, entry, toSeal }: Saving): Promise<Saved> {
    this.#writer.requireOutside();
    const document = firstVersion({ ...entry }) as unknown as AuditRecord;
    const request: SaveRequest = {
      kapsuleId,
      rows: rows.map(toRow),
      dependsOn,
      entry: document,
      toSeal: toSeal && (firstVersion({ ...toSeal }) as unknown as ToSealRecord),
    };
    const { promise, resolve, reject } = Promise.withResolvers<StoredGranule[]>();
    this.#waiting.push({ request, resolve, reject });
    if (this.#waiting.length === 1) void this.#writer.shared(() => this.#flush());
    return { granules: await promise, entry: document };
  }

  get pool(): PoolUse {
    return { name: 'saves', busy: this.#underWay, waiting: this.#waiting.length };
  }

  async #flush(): Promise<void> {
    await setImmediate();
    const all = this.#waiting;
    this.#waiting = [];
    // Saves that the thread has not answered yet hold the file.
    if (this.#underWay === 0 && !this.#writer.isLogLong && this.#runDirectly(all)) return;
    while (all.length > 0) await this.#send(nextGroup(all));
  }

  /** Returns false when the saves are for the writer's thread. */
  #runDirectly(group: Waiting[]): boolean {
    try {
      const results = this.#direct.run(group.map(({ request }) => request));
      if (!results) return false;
      for (const [index, { resolve, reject }] of group.entries()) {
        const result = results[index];
        if (result && 'stored' in result) resolve(result.stored);
        else reject(result?.error);
      }
      this.#writer.savedDirectly(group.reduce((rows, { request }) => rows + request.rows.length, 0));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    return true;
  }

  async #send(group: Waiting[]): Promise<void> {
    this.#underWay += 1;
    try {
      const saves = group.map(({ request }) => request);
      const outcomes = (await this.#writer.send({ kind: 'save', saves })) as Outcome[];
      for (const [index, { resolve, reject }] of group.entries()) {
        const outcome = outcomes[index];
        if (outcome && 'value' in outcome) resolve(outcome.value as StoredGranule[]);
        else reject(outcome ? fromFailure(outcome.failure) : new Error('A save was not answered.'));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    } finally {
      this.#underWay -= 1;
    }
  }
}

/** Takes the first saves away, at least one. */
function nextGroup(all: Waiting[]): Waiting[] {
  let rows = 0;
  const end = all.findIndex(
    ({ request }, index) => (rows += request.rows.length) > SAVE_MESSAGE_ROWS && index > 0,
  );
  return all.splice(0, end === -1 ? all.length : end);
}
