import { type SortValue, sortValueOf } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import type { FieldIndex } from '../../shared/field-index.ts';
import type { ScanBudget } from '../../shared/scan-budget.ts';
import {
  comparatorOf,
  mergedWith,
  pageOfEntries,
  type SortedEntry,
  skippedFor,
} from '../../shared/sorted-entries.ts';
import type { Connection } from '../connection.ts';
import { fieldTable, OTHER_TYPE } from './field-indexes.ts';
import { type EntryCondition, narrowedBy } from './field-narrowing.ts';
import type { RowPage, Selection } from './selection.ts';

type Entry = SortedEntry<number>;

/** The parts of the index in the order of every page: values, those of another type, empty ones. */
const PARTS: readonly EntryCondition[] = [
  { sql: 'f.value < ?', values: [OTHER_TYPE] },
  { sql: 'f.value = ?', values: [OTHER_TYPE] },
  { sql: 'f.value IS NULL', values: [] },
];

const toEntry = (row: unknown, value: unknown): Entry => ({
  row: row as number,
  value: value instanceof Uint8Array ? false : (value as SortValue),
});

/** A page in the order of a field, along its index; rows that have changed since are sorted in. */
export function rowsAlongField(
  connection: Connection,
  selection: Selection,
  query: GranulePageQuery,
  index: FieldIndex,
  budget: ScanBudget,
): RowPage {
  const changed = changedRows(connection, selection, index, query.descending);
  if (!selection.isAll) return matchingRows(connection, selection, query, index, changed, budget);
  const skipped = skippedFor(query.offset, changed.wanted);
  const count = query.offset - skipped + query.limit;
  const entries = entriesFrom(connection, index, changed, query.descending, skipped, count);
  return {
    rows: pageOfEntries(entries, changed.wanted, query, skipped),
    total: selection.total,
    totalIsExact: true,
    isPartial: false,
  };
}

interface Changed {
  /** All rows that have changed since: their entries in the index count no more. */
  all: number[];
  /** Those of the selection, in order. */
  wanted: Entry[];
}

function changedRows(
  connection: Connection,
  { kapsule, after, through, q, matches }: Selection,
  index: FieldIndex,
  descending: boolean,
): Changed {
  const rows = connection.all<{ row: number; data: string; isHit: number }>(
    `SELECT g.row, g.data, g.change > ? AND g.change <= ? AND instr(g.search, ?) > 0 ${matches} AS isHit
     FROM granule_counts c CROSS JOIN granules g ON g.kapsule = c.kapsule
     WHERE c.kapsule = ? AND g.change > ? AND g.change <= c.lastChange`,
    after,
    through,
    q,
    kapsule,
    index.through,
  );
  const wanted = rows
    .filter(({ isHit }) => isHit === 1)
    .map(({ row, data }) => ({
      row,
      value: sortValueOf(index, JSON.parse(data) as Record<string, unknown>),
    }));
  return { all: rows.map(({ row }) => row), wanted: wanted.sort(comparatorOf(descending)) };
}

const orderOf = (descending: boolean) => {
  const direction = descending ? 'DESC' : 'ASC';
  return `ORDER BY f.value ${direction}, f.row ${direction}`;
};

const unchanged = ({ all }: Changed): EntryCondition =>
  all.length === 0
    ? { sql: '', values: [] }
    : { sql: 'AND f.row NOT IN (SELECT value FROM json_each(?))', values: [JSON.stringify(all)] };

/** Skips entries of the index alone. */
function entriesFrom(
  connection: Connection,
  { number }: FieldIndex,
  changed: Changed,
  descending: boolean,
  offset: number,
  limit: number,
): Entry[] {
  const found: Entry[] = [];
  const others = unchanged(changed);
  let skip = offset;
  for (const { sql, values } of PARTS) {
    if (found.length >= limit) break;
    const from = `FROM ${fieldTable(number)} f WHERE ${sql} ${others.sql}`;
    const allValues = [...values, ...others.values];
    const entries = connection.all<{ row: number; value: unknown }>(
      `SELECT f.row, f.value ${from} ${orderOf(descending)} LIMIT ? OFFSET ?`,
      ...allValues,
      limit - found.length,
      skip,
    );
    found.push(...entries.map(({ row, value }) => toEntry(row, value)));
    if (entries.length > 0) skip = 0;
    else if (skip > 0)
      skip -= (connection.get(`SELECT count(*) AS rows ${from}`, ...allValues) as { rows: number }).rows;
  }
  return found;
}

/** Compares row after row along the index until the page is full. */
function matchingRows(
  connection: Connection,
  selection: Selection,
  { descending, offset, limit }: GranulePageQuery,
  index: FieldIndex,
  changed: Changed,
  budget: ScanBudget,
): RowPage {
  let isSpent = false;
  function* entries(): Generator<Entry> {
    for (const part of PARTS)
      for (const [row, isHit, value] of entriesIn(connection, selection, index, changed, part, descending)) {
        isSpent = budget.isSpent();
        if (isSpent) return;
        if (isHit === 1) yield toEntry(row, value);
      }
  }
  const rows: number[] = [];
  const wanted = offset + limit + 1;
  for (const row of mergedWith(entries(), changed.wanted, descending)) {
    if (rows.length === wanted || isSpent) break;
    rows.push(row);
  }
  const isFull = rows.length === wanted;
  return {
    rows: rows.slice(offset, offset + limit),
    total: rows.length,
    totalIsExact: !isFull && !isSpent,
    isPartial: isSpent && !isFull,
  };
}

function entriesIn(
  connection: Connection,
  { after, through, q, matches, narrowings }: Selection,
  { number }: FieldIndex,
  changed: Changed,
  part: EntryCondition,
  descending: boolean,
) {
  const narrowed = narrowedBy(narrowings);
  const others = unchanged(changed);
  return connection.each(
    `SELECT f.row, instr(g.search, ?) > 0 ${matches}, f.value
     FROM ${fieldTable(number)} f CROSS JOIN granules g ON g.row = f.row
     WHERE ${part.sql} ${others.sql} ${narrowed.sql} AND g.change > ? AND g.change <= ? ${orderOf(descending)}`,
    q,
    ...part.values,
    ...others.values,
    ...narrowed.values,
    after,
    through,
  );
}
