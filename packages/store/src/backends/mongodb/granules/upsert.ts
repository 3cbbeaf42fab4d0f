import { ConflictCollector } from '../../../errors.ts';
import { searchText } from '../../../folding.ts';
import type { StoredGranule } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import { conflictOf } from '../../shared/conflict.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';
import type { State } from '../shapes.ts';
import type { PendingKapsule } from './pending-kapsule.ts';

/** Rows inside a unit: the granules, their history and the counters change together, or a conflict is thrown. */
export async function upsertRows(
  kapsule: PendingKapsule,
  rows: readonly GranuleRow[],
): Promise<StoredGranule[]> {
  const upsert = new Upsert(kapsule);
  const stored = await upsert.take(rows);
  upsert.end();
  return stored;
}

export class Upsert {
  readonly #kapsule: PendingKapsule;
  readonly #changesBefore: number;
  readonly #conflicts = new ConflictCollector();

  constructor(kapsule: PendingKapsule) {
    this.#kapsule = kapsule;
    this.#changesBefore = kapsule.counter.lastChange;
    kapsule.keepNumbers();
  }

  async take(rows: readonly GranuleRow[]): Promise<StoredGranule[]> {
    await this.#kapsule.know(rows.map(([key]) => key));
    return rows.map((row) => this.#takeOne(row));
  }

  end(): void {
    this.#conflicts.end();
    const changes = this.#kapsule.counter.lastChange - this.#changesBefore;
    if (changes > 0) this.#kapsule.count(changes);
  }

  #takeOne(row: GranuleRow): StoredGranule {
    const [key, , , , version] = row;
    const known = this.#kapsule.states.get(key);
    const living = known?.dead ? undefined : known;
    if (version !== null && version !== (living?.version ?? 0)) return this.#conflict(row, living);
    if (living) return this.#replace(row, living);
    return known ? this.#revive(row, known) : this.#insert(row);
  }

  #insert(row: GranuleRow): StoredGranule {
    const [key, , , createdAt] = row;
    const kapsule = this.#kapsule;
    const id = newId();
    kapsule.counter.total += 1;
    kapsule.replace(undefined, this.#stateOf(row, { id, version: 1, createdAt: createdAt ?? kapsule.now }));
    return { id, key, version: 1 };
  }

  #replace(row: GranuleRow, known: State): StoredGranule {
    const [key, user, data] = row;
    const { id, version, createdAt } = known;
    if (known.user === user && known.data === data) return { id, key, version };
    const { counter } = this.#kapsule;
    if (known.change <= counter.reloadedThrough) counter.reloaded -= 1;
    this.#kapsule.replace(known, this.#stateOf(row, { id, version: version + 1, createdAt }));
    return { id, key, version: version + 1 };
  }

  /** Writing the key of a deleted granule brings it back, with its id and its history. */
  #revive(row: GranuleRow, dead: State): StoredGranule {
    const { counter } = this.#kapsule;
    const { id, key, createdAt } = dead;
    const version = dead.version + 1;
    counter.deleted -= 1;
    counter.total += 1;
    this.#kapsule.replace(dead, this.#stateOf(row, { id, version, createdAt }));
    return { id, key, version };
  }

  #stateOf(
    [key, user, data]: GranuleRow,
    given: { id: string; version: number; createdAt: string },
  ): Omit<State, '_id' | 'k' | 'to' | 'current'> {
    const change = this.#kapsule.nextChange();
    return {
      ...given,
      key,
      user,
      data,
      search: searchText(key, user, JSON.parse(data)),
      change,
      from: change,
      updatedAt: this.#kapsule.now,
      dead: false,
      deletedAt: null,
      deletedBy: null,
      restoredBy: null,
    };
  }

  #conflict(row: GranuleRow, known: State | undefined): StoredGranule {
    const bytes = Buffer.byteLength(row[2]) + Buffer.byteLength(known?.data ?? '');
    this.#conflicts.add(bytes, () => conflictOf(row, known));
    return { id: known?.id ?? '', key: row[0], version: known?.version ?? 0 };
  }
}
