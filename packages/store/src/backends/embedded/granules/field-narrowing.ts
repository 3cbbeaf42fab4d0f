import type { FieldCondition, SortField } from '@kaptain/contract/field-conditions';
import { type FieldIndex, type FieldRange, isSameField, rangeOf } from '../../shared/field-index.ts';
import { FIELD_INDEX_MOST_PENDING_ROWS } from '../../shared/tuning.ts';
import type { Connection } from '../connection.ts';
import type { Counter } from './counters.ts';
import { fieldIndexes, fieldTable, OTHER_TYPE } from './field-indexes.ts';

type Value = number | string | Uint8Array;

/** SQL about the entries `f` of an index. */
export interface EntryCondition {
  sql: string;
  values: Value[];
}

/** A condition on a field by its index: it leaves the rows that fulfil it, and those that the index does not know yet. */
export interface Narrowing {
  table: string;
  through: number;
  entries: EntryCondition;
}

/** The indexes of a kapsule that know all but a few changes. */
export function usableIndexes(connection: Connection, { kapsule, lastChange }: Counter): FieldIndex[] {
  const pending = `SELECT count(*) AS rows FROM (
    SELECT 1 FROM granules WHERE kapsule = ? AND change > ? AND change <= ? LIMIT ${FIELD_INDEX_MOST_PENDING_ROWS + 1})`;
  const isUsable = ({ through }: FieldIndex) =>
    lastChange - through <= FIELD_INDEX_MOST_PENDING_ROWS ||
    (connection.get(pending, kapsule, through, lastChange) as { rows: number }).rows <=
      FIELD_INDEX_MOST_PENDING_ROWS;
  return fieldIndexes(connection, kapsule).filter(isUsable);
}

export const indexOf = (indexes: readonly FieldIndex[], field: SortField): FieldIndex | undefined =>
  indexes.find((index) => isSameField(index, field));

export function narrowingsOf(indexes: readonly FieldIndex[], where: readonly FieldCondition[]): Narrowing[] {
  return where.flatMap((condition) => {
    const index = indexOf(indexes, { name: condition.field, type: condition.type });
    const range = rangeOf(condition);
    if (!index || !range) return [];
    return [{ table: fieldTable(index.number), through: index.through, entries: entriesIn(range) }];
  });
}

function entriesIn(range: FieldRange): EntryCondition {
  if (range.part !== 'values')
    return { sql: `f.value IS ${range.part === 'empty' ? '' : 'NOT '}NULL`, values: [] };
  const { from, to } = range;
  // Without an upper bound: up to the values of another type.
  const end: EntryCondition =
    to === undefined ? { sql: 'f.value < ?', values: [OTHER_TYPE] } : { sql: 'f.value <= ?', values: [to] };
  return from === undefined ? end : { sql: `f.value >= ? AND ${end.sql}`, values: [from, ...end.values] };
}

/** For rows `g`: an entry is looked up instead of reading and parsing the data of the row. */
export function narrowedBy(narrowings: readonly Narrowing[]): EntryCondition {
  const parts = narrowings.map(
    ({ table, through, entries }) =>
      `AND (g.change > ${through} OR EXISTS (SELECT 1 FROM ${table} f WHERE f.row = g.row AND ${entries.sql}))`,
  );
  return { sql: parts.join(' '), values: narrowings.flatMap(({ entries }) => entries.values) };
}

/** How many entries there are without those of rows that have changed since. */
export function countEntries(
  connection: Connection,
  table: string,
  { sql, values }: EntryCondition,
  changed: readonly number[],
): number {
  const unchanged = changed.length === 0 ? '' : 'AND f.row NOT IN (SELECT value FROM json_each(?))';
  const { rows } = connection.get(
    `SELECT count(*) AS rows FROM ${table} f WHERE ${sql} ${unchanged}`,
    ...values,
    ...(changed.length === 0 ? [] : [JSON.stringify(changed)]),
  ) as { rows: number };
  return rows;
}
