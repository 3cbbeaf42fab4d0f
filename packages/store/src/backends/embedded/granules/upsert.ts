import { decideWrite } from '@kaptain/contract/decide-write';
import { ConflictCollector } from '../../../errors.ts';
import { searchText } from '../../../folding.ts';
import type { StoredGranule } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import { nowText } from '../../shared/clock.ts';
import { collectConflict } from '../../shared/conflict.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';
import type { Connection } from '../connection.ts';
import { type Counter, countChanges, counterOf, firstRow, saveCounter } from './counters.ts';

export interface FoundRow {
  row: number;
  id: string;
  version: number;
  change: number;
  user: string;
  data: string;
}

type Deleted = Pick<FoundRow, 'row' | 'id' | 'version'> & { bytes: number };

interface Staged {
  staged: number;
  user: string;
  data: string;
  createdAt: string | null;
}

/** The stored rows hold more than may be read and copied where the upsert runs. */
export class TooMuchStoredError extends Error {}

export const INSERT = `
  INSERT INTO granules (row, kapsule, id, version, change, createdAt, updatedAt, key, user, data, search, expectedVersion)
  VALUES (?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kapsule, key) DO NOTHING`;

export const FIND = 'SELECT row, id, version, change, user, data FROM granules WHERE kapsule = ? AND key = ?';
export const FIND_DELETED =
  'SELECT row, id, version, octet_length(data) AS bytes FROM granules_deleted WHERE kapsule = ? AND key = ?';

const FIND_STAGED =
  'SELECT staged, user, data, createdAt FROM granule_staged WHERE kapsule = ? AND key = ? AND staged > ?';

export const KEEP_EARLIER_COLUMNS = 'row, version, updatedAt, user, data';
const KEEP_EARLIER = `
  INSERT INTO granule_history (${KEEP_EARLIER_COLUMNS})
  SELECT ${KEEP_EARLIER_COLUMNS} FROM granules WHERE row = ?`;

const REPLACE = `
  UPDATE granules SET version = version + 1, change = ?, updatedAt = ?, data = ?, search = ? WHERE row = ?`;
// Apart from the rest, because naming a column makes SQLite rewrite its index even when the value stays.
const REPLACE_USER = 'UPDATE granules SET user = ? WHERE row = ?';

const KEEP_DELETED = `
  INSERT INTO granule_history (row, version, updatedAt, deletedAt, deletedBy, user, data)
  SELECT row, version, updatedAt, deletedAt, deletedBy, user, data FROM granules_deleted WHERE row = ?`;

const REVIVE = `
  INSERT INTO granules (row, kapsule, id, version, change, createdAt, updatedAt, key, user, data, search)
  SELECT row, kapsule, id, version + 1, ?, createdAt, ?, key, ?, ?, ? FROM granules_deleted WHERE row = ?`;

// A staged row is a later one with the same key, which counts.
const STAGE_HIDDEN = `
  INSERT INTO granule_staged (kapsule, key, user, data, createdAt, version, row, search)
  SELECT kapsule, key, user, data, createdAt, expectedVersion, row, search
  FROM granules WHERE row = ? ON CONFLICT (kapsule, key) DO NOTHING`;

const COUNT_AS_STAGED = `
  UPDATE granule_imports SET inserted = inserted - 1, staged = staged + 1, stagedBytes = stagedBytes + ? WHERE kapsule = ?`;

const TAKE_OVER = `
  UPDATE granules SET change = ?, createdAt = ?, updatedAt = ?, user = ?, data = ?, search = ? WHERE row = ?`;

export const TO_BE_INDEXED = `
  INSERT INTO granule_unindexed (row) SELECT row FROM granules WHERE kapsule = ? AND change > ? AND change <= ?
  ON CONFLICT DO NOTHING`;

/** Rows inside a transaction: the rows, their history and the counters change together, or a conflict is thrown. */
export function upsertRows(
  connection: Connection,
  kapsuleId: string,
  rows: GranuleRow[],
  mostStored?: number,
): StoredGranule[] {
  const upsert = new Upsert(connection, counterOf(connection, kapsuleId), mostStored);
  const stored = rows.map((row) => upsert.add(row));
  upsert.finish();
  return stored;
}

/** The same without a result, which would cost too much for a large batch. */
export function upsertBatch(connection: Connection, kapsuleId: string, rows: GranuleRow[]): void {
  upsertRows(connection, kapsuleId, rows);
}

export class Upsert {
  readonly #connection: Connection;
  readonly #counter: Counter;
  readonly #now = nowText();
  readonly #changesBefore: number;
  readonly #conflicts = new ConflictCollector();
  #mayRead: number;

  constructor(connection: Connection, counter: Counter, mostStored = Number.POSITIVE_INFINITY) {
    this.#connection = connection;
    this.#counter = counter;
    this.#mayRead = mostStored;
    this.#changesBefore = counter.lastChange;
  }

  add(granule: GranuleRow): StoredGranule {
    this.replaceByStaged(granule[0]);
    return this.#store(granule);
  }

  /** A published import has still to replace the granule with this key: it does so first, because it came first. */
  replaceByStaged(key: string): void {
    const { kapsule, replacedThrough } = this.#counter;
    if (replacedThrough === null) return;
    const found = this.#connection.get(FIND_STAGED, kapsule, key, replacedThrough) as Staged | undefined;
    if (!found) return;
    this.#noteRead(found.data.length);
    this.#store([key, found.user, found.data, found.createdAt, null]);
    this.#connection.run('DELETE FROM granule_staged WHERE staged = ?', found.staged);
  }

  #store(granule: GranuleRow): StoredGranule {
    const [key, user, data, , version] = granule;
    const { kapsule, deleted } = this.#counter;
    // Most rows of a large write are new, so inserting is tried first where nothing has to be compared.
    const inserted = version === null && deleted === 0 ? this.#insert(granule) : undefined;
    if (inserted) return inserted;
    const found = this.#connection.get(FIND, kapsule, key) as FoundRow | undefined;
    const dead =
      found || deleted === 0
        ? undefined
        : (this.#connection.get(FIND_DELETED, kapsule, key) as Deleted | undefined);
    this.#noteRead(found?.data.length ?? dead?.bytes);
    const isHidden = found !== undefined && found.change > this.#counter.lastChange;
    const living = isHidden ? undefined : found;
    const isSame = living?.user === user && living.data === data;
    const decision = decideWrite(version, living, dead, isSame);
    switch (decision.action) {
      case 'conflict':
        return collectConflict(this.#conflicts, granule, living);
      case 'same':
        return { id: decision.living.id, key, version: decision.living.version };
      case 'replace':
        return this.#replace(granule, decision.living);
      case 'revive':
        return this.#revive(granule, decision.deleted);
      case 'insert':
        return found ? this.#takeOver(granule, found) : this.#insertNew(granule);
    }
  }

  #noteRead(size = 0): void {
    this.#mayRead -= size;
    if (this.#mayRead < 0) throw new TooMuchStoredError();
  }

  finish(): void {
    this.#conflicts.end();
    const changes = this.#counter.lastChange - this.#changesBefore;
    // A search scans these rows until the idle writer has indexed them.
    this.#connection.run(TO_BE_INDEXED, this.#counter.kapsule, this.#changesBefore, this.#counter.lastChange);
    countChanges(this.#connection, this.#counter.kapsule, changes, this.#now);
    saveCounter(this.#connection, this.#counter);
  }

  #insertNew(granule: GranuleRow): StoredGranule {
    const inserted = this.#insert(granule);
    if (!inserted) throw new Error('A key that was not there is there.');
    return inserted;
  }

  /** Returns undefined when a granule has the key. */
  #insert([key, user, data, createdAt]: GranuleRow): StoredGranule | undefined {
    const counter = this.#counter;
    const id = newId();
    const added = this.#connection.run(
      INSERT,
      firstRow(counter.kapsule) + counter.lastRow + 1,
      counter.kapsule,
      id,
      counter.lastChange + 1,
      createdAt ?? this.#now,
      this.#now,
      key,
      user,
      data,
      searchText(key, user, JSON.parse(data)),
      null,
    );
    if (added === 0) return undefined;
    counter.lastRow += 1;
    counter.lastChange += 1;
    counter.total += 1;
    return { id, key, version: 1 };
  }

  #replace([key, user, data]: GranuleRow, living: FoundRow): StoredGranule {
    const counter = this.#counter;
    if (living.change <= counter.reloadedThrough) counter.reloaded -= 1;
    this.#connection.run(KEEP_EARLIER, living.row);
    const search = searchText(key, user, JSON.parse(data));
    this.#connection.run(REPLACE, ++counter.lastChange, this.#now, data, search, living.row);
    if (living.user !== user) this.#connection.run(REPLACE_USER, user, living.row);
    return { id: living.id, key, version: living.version + 1 };
  }

  #revive([key, user, data]: GranuleRow, dead: Deleted): StoredGranule {
    const counter = this.#counter;
    this.#connection.run(KEEP_DELETED, dead.row);
    const search = searchText(key, user, JSON.parse(data));
    this.#connection.run(REVIVE, ++counter.lastChange, this.#now, user, data, search, dead.row);
    this.#connection.run('DELETE FROM granules_deleted WHERE row = ?', dead.row);
    counter.deleted -= 1;
    counter.total += 1;
    return { id: dead.id, key, version: dead.version + 1 };
  }

  /** An import has stored an invisible row with this key: this write takes it over, and the import will replace it. */
  #takeOver([key, user, data, createdAt]: GranuleRow, { row, id, data: hidden }: FoundRow): StoredGranule {
    const counter = this.#counter;
    this.#connection.run(STAGE_HIDDEN, row);
    const bytes = Buffer.byteLength(hidden) + Buffer.byteLength(data);
    this.#connection.run(COUNT_AS_STAGED, bytes, counter.kapsule);
    const search = searchText(key, user, JSON.parse(data));
    const values = [++counter.lastChange, createdAt ?? this.#now, this.#now, user, data, search, row];
    this.#connection.run(TAKE_OVER, ...values);
    counter.total += 1;
    return { id, key, version: 1 };
  }
}
