import { decideWrite } from '@kaptain/contract/decide-write';
import type { ConflictCollector, StoredGranule } from '@kaptain/contract/granule-records';
import { newId } from '@kaptain/contract/ids';
import { ownValue } from '@kaptain/contract/own-value';
import { nowText } from './clock.ts';
import type { Kind, Value } from './dialect.ts';
import { dataOf, type PreparedRow, requireAccepted } from './prepared-row.ts';
import type { KnownRow } from './rows.ts';
import type { Column, Shape } from './shape.ts';
import { UPDATE_STATEMENTS } from './tuning.ts';

/** A row of the history. */
export interface EarlierState {
  id: string;
  version: number;
  updatedAt: string;
  deletedAt: string | null;
  deletedBy: string | null;
  restoredBy: string | null;
  user: string;
  data: Record<string, unknown>;
}

interface Pending {
  /** Its `data` is empty while `isNew`; then `prepared` has the values. */
  row: KnownRow;
  prepared: PreparedRow | undefined;
  isNew: boolean;
  /** The positions of the columns that differ from the stored row; the others are not written, because reading may have rounded them. */
  changed: Set<number>;
}

const noData: Record<string, unknown> = {};

/** The byte length of the values, without their names. */
const bytesOf = (data: Record<string, unknown>): number =>
  Object.values(data).reduce<number>(
    (sum, value) =>
      sum + Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? null)),
    0,
  );

/** The data of a row, also of one that this batch inserts. */
const dataIn = (shape: Shape, { row, prepared, isNew }: Pending): Record<string, unknown> =>
  isNew && prepared ? dataOf(shape, prepared) : row.data;

/** The positions of the written columns in which the data differ. */
function differences(
  { written }: Shape,
  one: Record<string, unknown>,
  other: Record<string, unknown>,
): number[] {
  const isDifferent = ({ field }: Column) =>
    JSON.stringify(ownValue(one, field) ?? null) !== JSON.stringify(ownValue(other, field) ?? null);
  return written.flatMap((column, position) => (isDifferent(column) ? [position] : []));
}

/** Rows of which the same columns have changed. */
interface UpdateGroup {
  /** The positions of these columns. */
  positions: readonly number[];
  rows: Value[][];
}

const REWRITABLE: ReadonlySet<Kind> = new Set(['text', 'integer']);

/** Decides for each row, in input order, whether it is inserted, updated, skipped or a conflict. */
export class Batch {
  readonly #shape: Shape;
  readonly #change: number;
  readonly #now = nowText();
  readonly #states: Map<string, Pending>;
  readonly #conflicts: ConflictCollector;
  readonly earlier: EarlierState[] = [];
  readonly #new = new Set<Pending>();
  readonly #changed = new Set<Pending>();

  /** `known` are the stored rows by requested key. */
  constructor(
    shape: Shape,
    change: number,
    known: ReadonlyMap<string, KnownRow>,
    conflicts: ConflictCollector,
  ) {
    this.#conflicts = conflicts;
    this.#shape = shape;
    this.#change = change;
    const byId = new Map<string, Pending>();
    this.#states = new Map();
    for (const [key, row] of known) {
      const pending = byId.get(row.id) ?? { row, prepared: undefined, isNew: false, changed: new Set() };
      byId.set(row.id, pending);
      this.#states.set(key, pending);
    }
  }

  add(row: PreparedRow): StoredGranule {
    const pending = this.#states.get(row.key);
    const stored = pending && { version: pending.row.version, pending };
    const [living, deleted] = pending?.row.deletedAt === null ? [stored, undefined] : [undefined, stored];
    const changed = pending ? this.#changesIn(pending, row) : [];
    const isSame = pending?.row.user === row.user && changed.length === 0;
    const decision = decideWrite(row.version ?? null, living, deleted, isSame);
    switch (decision.action) {
      case 'conflict':
        return this.#conflict(row, living?.pending);
      case 'insert':
        return this.#insert(row);
      case 'same':
        return { id: decision.living.pending.row.id, key: row.key, version: decision.living.version };
      case 'replace':
        return this.#replace(decision.living.pending, row, changed);
      case 'revive':
        return this.#replace(decision.deleted.pending, row, changed);
    }
  }

  #changesIn(pending: Pending, given: PreparedRow): number[] {
    return differences(this.#shape, dataIn(this.#shape, pending), dataOf(this.#shape, given));
  }

  #insert(given: PreparedRow): StoredGranule {
    requireAccepted(given);
    const row: KnownRow = {
      id: newId(),
      key: given.key,
      user: given.user,
      data: noData,
      version: 1,
      change: this.#change,
      createdAt: given.createdAt ?? this.#now,
      updatedAt: this.#now,
      deletedAt: null,
      deletedBy: null,
    };
    const pending = { row, prepared: given, isNew: true, changed: new Set<number>() };
    this.#states.set(given.key, pending);
    this.#new.add(pending);
    return { id: row.id, key: given.key, version: 1 };
  }

  #replace(pending: Pending, given: PreparedRow, changed: readonly number[]): StoredGranule {
    for (const position of changed) pending.changed.add(position);
    // Columns that this batch has changed before are written again, with the values of this row.
    requireAccepted(given, this.#new.has(pending) ? undefined : pending.changed);
    const { id, version, updatedAt, deletedAt, deletedBy, user } = pending.row;
    const data = dataIn(this.#shape, pending);
    const next = dataOf(this.#shape, given);
    this.earlier.push({ id, version, updatedAt, deletedAt, deletedBy, restoredBy: null, user, data });
    pending.row = {
      ...pending.row,
      user: given.user,
      data: { ...data, ...next },
      version: version + 1,
      change: this.#change,
      updatedAt: this.#now,
      deletedAt: null,
      deletedBy: null,
    };
    for (const { field } of this.#shape.written)
      if (!Object.hasOwn(next, field)) delete pending.row.data[field];
    pending.prepared = given;
    pending.isNew = false;
    if (!this.#new.has(pending)) this.#changed.add(pending);
    return { id, key: given.key, version: version + 1 };
  }

  #conflict(given: PreparedRow, pending: Pending | undefined): StoredGranule {
    const living = pending?.row;
    const givenData = dataOf(this.#shape, given);
    const storedData = pending ? dataIn(this.#shape, pending) : null;
    this.#conflicts.add(bytesOf(givenData) + bytesOf(storedData ?? {}), () => ({
      key: given.key,
      givenVersion: given.version ?? 0,
      givenData,
      storedVersion: living?.version ?? 0,
      storedUser: living?.user ?? null,
      storedData,
    }));
    return { id: living?.id ?? '', key: given.key, version: living?.version ?? 0 };
  }

  /** Returns the rows to insert and to update. */
  finish(): { inserts: Value[][]; updates: UpdateGroup[] } {
    const exact = this.#groups(({ changed }) => [...changed].sort((one, other) => one - other));
    // Rewriting a column with the value that was read from it is exact for texts and whole numbers.
    const isKept = ({ changed, prepared }: Pending, position: number) =>
      !changed.has(position) &&
      (prepared?.refused?.has(position) || !REWRITABLE.has(this.#shape.written[position]?.kind ?? 'other'));
    const coarse = (pending: Pending) =>
      [...this.#shape.written.keys()].filter((position) => !isKept(pending, position));
    return {
      inserts: [...this.#new].map((pending) => [
        pending.prepared?.keyValue ?? null,
        ...ownValues(pending),
        ...(pending.prepared?.values ?? []),
      ]),
      updates: exact.length <= UPDATE_STATEMENTS ? exact : this.#groups(coarse),
    };
  }

  /** The changed rows by the columns that are written. */
  #groups(positionsOf: (pending: Pending) => number[]): UpdateGroup[] {
    const groups = new Map<string, UpdateGroup>();
    for (const pending of this.#changed) {
      const positions = positionsOf(pending);
      const group = groups.get(positions.join()) ?? { positions, rows: [] };
      groups.set(positions.join(), group);
      group.rows.push([
        ...ownValues(pending),
        ...positions.map((position) => pending.prepared?.values[position] ?? null),
      ]);
    }
    return [...groups.values()];
  }
}

function ownValues({ row }: Pending): Value[] {
  const { id, user, version, change, createdAt, updatedAt, deletedAt, deletedBy } = row;
  return [id, user, version, change, createdAt, updatedAt, deletedAt, deletedBy];
}
