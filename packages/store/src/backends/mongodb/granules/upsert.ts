import { decideWrite } from '@kaptain/contract/decide-write';
import { ConflictCollector } from '../../../errors.ts';
import { searchText } from '../../../folding.ts';
import type { StoredGranule } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import { collectConflict } from '../../shared/conflict.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';
import type { State } from '../shapes.ts';
import type { PendingKapsule } from './pending-kapsule.ts';

/** Rows inside a unit: the granules, their history and the counters change together, or a conflict is thrown. */
export async function upsertRows(
  kapsule: PendingKapsule,
  rows: readonly GranuleRow[],
): Promise<StoredGranule[]> {
  const upsert = new Upsert(kapsule);
  const stored = await upsert.add(rows);
  upsert.finish();
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

  async add(rows: readonly GranuleRow[]): Promise<StoredGranule[]> {
    await this.#kapsule.know(rows.map(([key]) => key));
    return rows.map((row) => this.#takeOne(row));
  }

  finish(): void {
    this.#conflicts.end();
    const changes = this.#kapsule.counter.lastChange - this.#changesBefore;
    if (changes > 0) this.#kapsule.count(changes);
  }

  #takeOne(row: GranuleRow): StoredGranule {
    const [key, user, data, , version] = row;
    const state = this.#kapsule.states.get(key);
    const [living, dead] = state?.dead ? [undefined, state] : [state, undefined];
    const isSame = state?.user === user && state.data === data;
    const decision = decideWrite(version, living, dead, isSame);
    switch (decision.action) {
      case 'conflict':
        return collectConflict(this.#conflicts, row, living);
      case 'same':
        return { id: decision.living.id, key, version: decision.living.version };
      case 'replace':
        return this.#replace(row, decision.living);
      case 'revive':
        return this.#revive(row, decision.deleted);
      case 'insert':
        return this.#insert(row);
    }
  }

  #insert(row: GranuleRow): StoredGranule {
    const [key, , , createdAt] = row;
    const kapsule = this.#kapsule;
    const id = newId();
    kapsule.counter.total += 1;
    kapsule.replace(undefined, this.#stateOf(row, { id, version: 1, createdAt: createdAt ?? kapsule.now }));
    return { id, key, version: 1 };
  }

  #replace(row: GranuleRow, state: State): StoredGranule {
    const { counter } = this.#kapsule;
    if (state.change <= counter.reloadedThrough) counter.reloaded -= 1;
    return this.#next(row, state);
  }

  #revive(row: GranuleRow, dead: State): StoredGranule {
    const { counter } = this.#kapsule;
    counter.deleted -= 1;
    counter.total += 1;
    return this.#next(row, dead);
  }

  #next(row: GranuleRow, before: State): StoredGranule {
    const { id, key, createdAt } = before;
    const version = before.version + 1;
    this.#kapsule.replace(before, this.#stateOf(row, { id, version, createdAt }));
    return { id, key, version };
  }

  #stateOf(
    [key, user, data]: GranuleRow,
    identity: { id: string; version: number; createdAt: string },
  ): Omit<State, '_id' | 'k' | 'to' | 'current'> {
    const change = this.#kapsule.nextChange();
    return {
      ...identity,
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
}
