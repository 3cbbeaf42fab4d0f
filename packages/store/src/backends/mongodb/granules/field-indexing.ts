import { sortValueOf } from '@kaptain/contract/field-conditions';
import { MongoBulkWriteError } from 'mongodb';
import { TimeSlice } from '../../../time-slice.ts';
import type { Database } from '../database.ts';
import type { FieldEntry, FieldIndex, State } from '../shapes.ts';
import { FIELD_INDEX_STEP_ROWS } from '../tuning.ts';
import { changedSince } from './field-indexes.ts';

const DUPLICATE = 11_000;

/**
 * Takes the next changed granules into the index of a field; false when all indexes know all changes. Several instances may
 * do the same at once.
 */
export async function indexFields(database: Database): Promise<boolean> {
  for (const index of await database.fieldIndexes.find().sort({ usedAt: -1 }).toArray()) {
    const counter = await database.counters.findOne({ k: index.k });
    if (!counter || counter.lastChange <= index.through) continue;
    const changed = await database.states
      .find(changedSince(counter, index), { projection: { id: 1, change: 1, version: 1, data: 1 } })
      .sort({ change: 1 })
      .limit(FIELD_INDEX_STEP_ROWS)
      .toArray();
    if (changed.length > 0) await store(database, index, changed);
    const reached =
      changed.length < FIELD_INDEX_STEP_ROWS ? counter.lastChange : (changed.at(-1)?.change ?? index.through);
    const found = { _id: index._id, through: { $lt: reached } };
    const { matchedCount } = await database.fieldIndexes.updateOne(found, { $set: { through: reached } });
    // Dropped meanwhile: its last entries go with it.
    if (matchedCount === 0 && !(await database.fieldIndexes.findOne({ _id: index._id })))
      await database.fieldEntries.deleteMany({ n: index._id });
    return true;
  }
  return false;
}

/** An entry belongs to one state of a granule and is never edited, so two instances may store the same ones. */
async function store(database: Database, index: FieldIndex, changed: readonly State[]): Promise<void> {
  const { _id: n, through } = index;
  const slice = new TimeSlice();
  const entries: FieldEntry[] = [];
  for (const { _id: s, id, data } of changed) {
    await slice.pause();
    const value = sortValueOf(index, JSON.parse(data) as Record<string, unknown>);
    entries.push({ _id: entryId(n, s), n, v: value === false ? true : value, id, s });
  }
  await database.fieldEntries.insertMany(entries, { ordered: false }).catch((error: unknown) => {
    if (!isOfDuplicates(error)) throw error;
  });
  // A new granule has no entry yet.
  const ids = changed.flatMap(({ id, version }) => (version > 1 ? [id] : []));
  if (through === 0 || ids.length === 0) return;
  const upToDate = { id: { $in: ids }, from: { $lte: through }, to: { $gt: through } };
  const earlier = await database.states.find(upToDate, { projection: { _id: 1 } }).toArray();
  const replaced = earlier.map(({ _id }) => entryId(n, _id));
  await database.fieldEntries.deleteMany({ _id: { $in: replaced } });
}

const entryId = (n: string, state: string) => `${n} ${state}`;

function isOfDuplicates(error: unknown): boolean {
  const failures = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
  return failures.length > 0 && failures.every(({ code }) => code === DUPLICATE);
}
