import type { AnyBulkWriteOperation } from 'mongodb';
import { searchText } from '../../../folding.ts';
import { newId } from '../../../ids.ts';
import { nowText } from '../../shared/clock.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';
import type { Database } from '../database.ts';
import type { Lease } from '../lease.ts';
import type { PendingWrites } from '../pending-writes.ts';
import { FOR_EVER, type Staged, type State } from '../shapes.ts';
import { STAGED_BATCH_ROWS } from '../tuning.ts';
import { currentOf } from './pending-kapsule.ts';
import { prewrite } from './prewrite.ts';
import { Upsert } from './upsert.ts';

/*
 * An import of a million rows must not keep other units waiting. Its new keys are written in small steps as states that
 * begin above their kapsule's last change, where no reader sees them; replacements are staged. Publishing moves the last
 * change past them, in one unit whose cost grows only with the replaced rows.
 */

/** Changes of an import begin that far after the last visible one: no kapsule is saved that often meanwhile. */
export const GAP = 2 ** 32;
/** The numbers of staged rows begin that far above the changes of hidden ones, which are the numbers of those handed back. */
const STAGED_FROM = GAP / 2;

export interface Importing {
  kapsuleId: string;
  k: string;
  name: string;
  /** All changes and numbers of this import are above it and less than GAP away; those of the next one are not. */
  base: number;
  /** Of the rows hidden so far. */
  lastChange: number;
  staged: number;
}

/** Rows of one batch; what is left of them when this fails is swept up with the import. */
export async function stageRows(
  database: Database,
  lease: Lease,
  importing: Importing,
  rows: GranuleRow[],
): Promise<void> {
  const { k } = importing;
  const names = [...new Set(rows.map(([key]) => currentOf(k, key)))];
  const found = await database.states.find({ current: { $in: names } }).toArray();
  const batch = new Batch(importing, new Map(found.map((state) => [state.key, state])));
  for (const row of rows) batch.add(row);
  lease.requireHeld();
  if (batch.hidden.size > 0) await database.states.insertMany([...batch.hidden], { ordered: true });
  if (batch.rewritten.size > 0) {
    lease.requireHeld();
    await database.states.bulkWrite(
      [...batch.rewritten].map((state) => ({
        replaceOne: { filter: { _id: state._id }, replacement: state },
      })),
    );
  }
  // The next import into the kapsule may have begun with the same numbers, if this process was suspended.
  lease.requireHeld();
  if (batch.staged.size > 0) await database.staged.bulkWrite(batch.stagedWrites());
}

class Batch {
  readonly hidden = new Set<State>();
  readonly rewritten = new Set<State>();
  /** By key; undefined where the row is as it was. */
  readonly staged = new Map<string, Staged | undefined>();
  readonly #importing: Importing;
  readonly #states: Map<string, State>;
  readonly #now = nowText();

  constructor(importing: Importing, states: Map<string, State>) {
    this.#importing = importing;
    this.#states = states;
  }

  add(row: GranuleRow): void {
    const [key, user, data, createdAt, version] = row;
    const state = this.#states.get(key);
    if (!state && version === null) this.#hide(row);
    else if (state?.import === this.#importing.name && version === null) {
      // The import has this key twice: its last row counts.
      const search = searchText(key, user, JSON.parse(data));
      Object.assign(state, { user, data, search, createdAt: createdAt ?? this.#now });
      if (!this.hidden.has(state)) this.rewritten.add(state);
    } else {
      const isSame = version === null && !state?.dead && state?.user === user && state.data === data;
      this.staged.set(key, isSame ? undefined : this.#stagedOf(row));
    }
  }

  stagedWrites(): AnyBulkWriteOperation<Staged>[] {
    const idOf = (key: string) => currentOf(this.#importing.k, key);
    return [...this.staged].map(([key, staged]) =>
      staged
        ? { replaceOne: { filter: { _id: staged._id }, replacement: staged, upsert: true } }
        : { deleteOne: { filter: { _id: idOf(key) } } },
    );
  }

  /** Writes a key that no granule has, living or deleted, straight into the granules. */
  #hide([key, user, data, createdAt]: GranuleRow): void {
    const { k, name } = this.#importing;
    this.#importing.lastChange += 1;
    const change = this.#importing.lastChange;
    const state: State = {
      _id: newId(),
      k,
      id: newId(),
      key,
      user,
      data,
      search: searchText(key, user, JSON.parse(data)),
      version: 1,
      change,
      from: change,
      to: FOR_EVER,
      createdAt: createdAt ?? this.#now,
      updatedAt: this.#now,
      dead: false,
      deletedAt: null,
      deletedBy: null,
      restoredBy: null,
      current: currentOf(k, key),
      import: name,
    };
    this.hidden.add(state);
    this.#states.set(key, state);
  }

  #stagedOf(row: GranuleRow): Staged {
    this.#importing.staged += 1;
    const { k, base, staged } = this.#importing;
    return { _id: currentOf(k, row[0]), k, n: base + STAGED_FROM + staged, row };
  }
}

/** Everything becomes visible with the commit of this unit. */
export async function publish(
  pending: PendingWrites,
  lease: Lease,
  { kapsuleId, k, base, lastChange }: Importing,
): Promise<void> {
  const { database } = pending;
  const kapsule = await pending.kapsule(kapsuleId, true);
  const { counter, visible } = kapsule;
  const inserted = await database.states.countDocuments({ k, dead: false, change: { $gt: visible } });
  counter.total += inserted;
  counter.lastChange = lastChange;
  kapsule.count(inserted);
  const upsert = new Upsert(kapsule);
  for await (const rows of stagedRows(database, k, base)) {
    await upsert.add(rows);
    // Written ahead bit by bit, because memory would not hold a million of them.
    await prewrite(pending, lease);
  }
  upsert.finish();
  pending.drop('granule_imports', k);
  // The next import may have staged rows by then.
  pending.afterwards.push(() => database.staged.deleteMany({ k, n: { $lt: base + GAP } }));
}

/** Without those of an earlier import, whose process ended before it had removed them. */
async function* stagedRows(database: Database, k: string, base: number): AsyncGenerator<GranuleRow[]> {
  for (let after = base; ; ) {
    const some = await database.staged
      .find({ k, n: { $gt: after } })
      .sort({ n: 1 })
      .limit(STAGED_BATCH_ROWS)
      .toArray();
    if (some.length === 0) return;
    yield some.map(({ row }) => row);
    after = some.at(-1)?.n ?? after;
  }
}
