import type { SortField } from '@kaptain/contract/field-conditions';
import { fieldTypes } from '@kaptain/contract/fields';
import type { Filter } from 'mongodb';
import { newId } from '../../../ids.ts';
import { type FieldRange, fieldsToNote, isSameField, roomFor } from '../../shared/field-index.ts';
import { FIELD_INDEX_MOST_PENDING_ROWS } from '../../shared/tuning.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../driver-errors.ts';
import type { Counter, FieldEntry, FieldIndex, State } from '../shapes.ts';
import { statesVisibleAt } from './records.ts';

/** The granules that have changed since an index was brought up to date, as a reader of these counters sees them. */
export const changedSince = (counter: Counter, { through }: FieldIndex): Filter<State> => ({
  ...statesVisibleAt(counter),
  dead: false,
  change: { $gt: through, $lte: counter.lastChange },
});

export async function isUsable(database: Database, counter: Counter, index: FieldIndex): Promise<boolean> {
  if (counter.lastChange - index.through <= FIELD_INDEX_MOST_PENDING_ROWS) return true;
  const limit = FIELD_INDEX_MOST_PENDING_ROWS + 1;
  return (
    (await database.states.countDocuments(changedSince(counter, index), { limit })) <=
    FIELD_INDEX_MOST_PENDING_ROWS
  );
}

/** Notes the use of the fields; those without an index get one, which is filled step by step. */
export async function noteFields(
  database: Database,
  { k, total }: Counter,
  indexes: readonly FieldIndex[],
  fields: readonly SortField[],
): Promise<void> {
  const now = Date.now();
  for (const field of fieldsToNote(total, indexes, fields)) {
    const existing = indexes.find((index) => isSameField(index, field));
    if (existing) await database.fieldIndexes.updateOne({ _id: existing._id }, { $set: { usedAt: now } });
    else await addIndex(database, k, field, now);
  }
}

async function addIndex(database: Database, k: string, field: SortField, now: number): Promise<void> {
  const indexes = await database.fieldIndexes.find({ k }).toArray();
  const room = roomFor(
    indexes.map(({ _id, createdAt, usedAt }) => ({ number: _id, createdAt, usedAt })),
    now,
  );
  if (!room) return;
  if (room.leaves !== undefined) await dropFieldIndexes(database, { _id: room.leaves });
  const { name, type } = field;
  // An id of its own: entries of an earlier index of the field may still be under removal.
  const index = { _id: newId(), k, name, type, through: 0, createdAt: now, usedAt: now };
  // Another page may have noted the same field meanwhile.
  await database.fieldIndexes.insertOne(index).catch((error: unknown) => {
    if (!isDuplicate(error)) throw error;
  });
}

export async function dropFieldIndexes(database: Database, which: Filter<FieldIndex>): Promise<void> {
  for (const { _id } of await database.fieldIndexes.find(which).toArray()) {
    await database.fieldIndexes.deleteOne({ _id });
    await database.fieldEntries.deleteMany({ n: _id });
  }
}

type Entries = Filter<FieldEntry>;
const OTHER_TYPE: Entries = { v: true };
const EMPTY: Entries = { v: null };

/** MongoDB compares values of the same type only. */
function valuesOf(type: SortField['type'], range: { from?: number | string; to?: number | string }): Entries {
  const { comparedAs } = fieldTypes[type];
  const isNumber = comparedAs === 'number' || comparedAs === 'boolean';
  const first = isNumber ? Number.NEGATIVE_INFINITY : '';
  return { v: { $gte: range.from ?? first, ...(range.to !== undefined && { $lte: range.to }) } };
}

/** The parts of an index in the order of every page: values, those of another type, empty ones. */
export const partsOf = ({ _id, type }: FieldIndex): Entries[] =>
  [valuesOf(type, {}), OTHER_TYPE, EMPTY].map((part) => ({ n: _id, ...part }));

export function entriesIn({ _id, type }: FieldIndex, range: FieldRange): Entries {
  if (range.part === 'values') return { n: _id, ...valuesOf(type, range) };
  return { n: _id, ...(range.part === 'empty' ? EMPTY : { $or: [valuesOf(type, {}), OTHER_TYPE] }) };
}
