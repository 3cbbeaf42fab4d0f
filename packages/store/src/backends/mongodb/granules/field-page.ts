import type { GranulePage, GranulePageQuery } from '../../../granules.ts';
import { fieldsToIndex, isSameField, rangeOf } from '../../shared/field-index.ts';
import type { Database } from '../database.ts';
import type { Counter, FieldIndex } from '../shapes.ts';
import { FIELD_PAGE_ATTEMPTS, FIELD_SORTED_ROWS } from '../tuning.ts';
import { changedSince, entriesIn, isUsable, noteFields } from './field-indexes.ts';
import { idsAlongField } from './ids-along-field.ts';
import { pageOfHits, scanPage } from './scan.ts';

/** A page with conditions on fields or in the order of one: by the indexes of the fields, or by reading granules. */
export async function fieldPage(
  database: Database,
  counter: Counter,
  query: GranulePageQuery,
): Promise<GranulePage> {
  const { where = [], sortField, deleted } = query;
  const fields = deleted ? [] : fieldsToIndex(where, sortField);
  for (let tries = 0; fields.length > 0 && tries < FIELD_PAGE_ATTEMPTS; tries += 1) {
    const indexes = await database.fieldIndexes.find({ k: counter.k }).toArray();
    // The page does not wait for it; when it fails, the next page notes the fields.
    if (tries === 0) noteFields(database, counter, indexes, fields).catch(() => undefined);
    // Read after the indexes, so that none of them knows a later change at first.
    const present = await database.counters.findOne({ _id: counter._id, k: counter.k });
    const page = present && (await pageByIndex(database, present, query, indexes));
    if (!page) break;
    if (await isStillOf(database, present)) return page;
  }
  return scanPage(database, counter, query);
}

/** An index that knows later changes than these counters may have moved granules of the page meanwhile. */
async function isStillOf(database: Database, { k, lastChange }: Counter): Promise<boolean> {
  return (await database.fieldIndexes.countDocuments({ k, through: { $gt: lastChange } })) === 0;
}

/** Undefined when no index helps. */
async function pageByIndex(
  database: Database,
  counter: Counter,
  query: GranulePageQuery,
  indexes: readonly FieldIndex[],
): Promise<GranulePage | undefined> {
  const usable: FieldIndex[] = [];
  for (const index of indexes) if (await isUsable(database, counter, index)) usable.push(index);
  for (const condition of query.where ?? []) {
    const field = { name: condition.field, type: condition.type };
    const index = usable.find((one) => isSameField(one, field));
    const range = rangeOf(condition);
    if (!index || !range) continue;
    const entries = await database.fieldEntries
      .find(entriesIn(index, range), { projection: { _id: 0, s: 1 } })
      .limit(FIELD_SORTED_ROWS + 1)
      .toArray();
    if (entries.length > FIELD_SORTED_ROWS) continue;
    const changed = await database.states
      .find(changedSince(counter, index), { projection: { _id: 1 } })
      .toArray();
    const states = new Set([...entries.map(({ s }) => s), ...changed.map(({ _id }) => _id)]);
    return scanPage(database, counter, query, [...states]);
  }
  const { sortField } = query;
  const index = sortField && usable.find((one) => isSameField(one, sortField));
  return index && pageOfHits(database, counter, query, await idsAlongField(database, counter, query, index));
}
