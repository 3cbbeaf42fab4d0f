import { compareSortValues, type SortField, sortValueOf } from '@kaptain/contract/field-conditions';
import type { GranulePageQuery } from '../../../granules.ts';
import type { ScanBudget } from '../../shared/scan-budget.ts';
import type { Connection } from '../connection.ts';
import { type FieldIndex, fieldTable, OTHER_TYPE } from './field-indexes.ts';
import { type EntryCondition, narrowedBy } from './field-narrowing.ts';
import type { RowPage, Selection } from './selection.ts';

/** An entry of the index, or a row that the index does not know yet, with the value it is sorted by. */
interface Entry {
  row: number;
  value: number | string | Uint8Array | null;
}

/** The parts of the index in the order of every page: values, those of another type, empty ones. */
const PARTS: readonly EntryCondition[] = [
  { sql: 'f.value < ?', values: [OTHER_TYPE] },
  { sql: 'f.value = ?', values: [OTHER_TYPE] },
  { sql: 'f.value IS NULL', values: [] },
];

const sortValue = (value: Entry['value']) => (value instanceof Uint8Array ? false : value);

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
  return {
    rows: allRows(connection, query, index, changed),
    total: selection.total,
    totalIsExact: true,
    isPartial: false,
  };
}

interface Changed {
  /** Of all rows that have changed since: their entries in the index count no more. */
  all: number[];
  /** Those of the selection, in order. */
  wanted: Entry[];
  isBefore: (a: Entry, b: Entry) => boolean;
}

function changedRows(
  connection: Connection,
  { kapsule, after, through, q, matches }: Selection,
  index: FieldIndex,
  descending: boolean,
): Changed {
  const rows = connection.all<{ row: number; data: string; isHit: number }>(
    `SELECT g.row, g.data, g.change > ? AND g.change <= ? AND instr(g.search, ?) > 0 ${matches} AS isHit
     FROM granules g WHERE g.kapsule = ? AND g.change > ? AND g.change <= (SELECT lastChange FROM granule_counts c WHERE c.kapsule = g.kapsule)`,
    after,
    through,
    q,
    kapsule,
    index.through,
  );
  const compare = (a: Entry, b: Entry) =>
    compareSortValues(sortValue(a.value), sortValue(b.value), descending) ||
    (descending ? b.row - a.row : a.row - b.row);
  const wanted = rows
    .filter(({ isHit }) => isHit === 1)
    .map(({ row, data }) => ({ row, value: valueIn(index, data) }));
  return {
    all: rows.map(({ row }) => row),
    wanted: wanted.sort(compare),
    isBefore: (a, b) => compare(a, b) < 0,
  };
}

function valueIn(field: SortField, data: string): Entry['value'] {
  const value = sortValueOf(field, JSON.parse(data) as Record<string, unknown>);
  return value === false ? OTHER_TYPE : value;
}

const orderOf = (descending: boolean) => {
  const direction = descending ? 'DESC' : 'ASC';
  return `ORDER BY f.value ${direction}, f.row ${direction}`;
};

const unchanged = ({ all }: Changed): EntryCondition =>
  all.length === 0
    ? { sql: '', values: [] }
    : { sql: 'AND f.row NOT IN (SELECT value FROM json_each(?))', values: [JSON.stringify(all)] };

/** Skips entries of the index alone. As many entries before the page are read as changed rows may come between. */
function allRows(
  connection: Connection,
  { descending, offset, limit }: GranulePageQuery,
  index: FieldIndex,
  changed: Changed,
): number[] {
  const skipped = Math.max(0, offset - changed.wanted.length);
  const entries = entriesFrom(connection, index, changed, descending, skipped, offset - skipped + limit);
  const [first] = entries;
  if (!first && skipped > 0) return [];
  // The first entry is behind all skipped ones and these changed rows.
  const before =
    first && skipped > 0 ? changed.wanted.filter((row) => changed.isBefore(row, first)).length : 0;
  const start = offset - skipped - before;
  return [...mergedWith(entries, changed.wanted.slice(before), changed.isBefore)].slice(start, start + limit);
}

function entriesFrom(
  connection: Connection,
  { number }: FieldIndex,
  changed: Changed,
  descending: boolean,
  offset: number,
  limit: number,
): Entry[] {
  const found: Entry[] = [];
  const table = fieldTable(number);
  const others = unchanged(changed);
  let skip = offset;
  for (const { sql, values } of PARTS) {
    if (found.length >= limit) break;
    const from = `FROM ${table} f WHERE ${sql} ${others.sql}`;
    const given = [...values, ...others.values];
    const page = `SELECT f.row, f.value ${from} ${orderOf(descending)} LIMIT ? OFFSET ?`;
    const entries = connection.all<Entry>(page, ...given, limit - found.length, skip);
    found.push(...entries);
    if (entries.length > 0) skip = 0;
    else if (skip > 0)
      skip -= (connection.get(`SELECT count(*) AS rows ${from}`, ...given) as { rows: number }).rows;
  }
  return found;
}

function* mergedWith(
  entries: Iterable<Entry>,
  changed: readonly Entry[],
  isBefore: Changed['isBefore'],
): Generator<number> {
  let next = 0;
  for (const entry of entries) {
    for (; next < changed.length && isBefore(changed[next] as Entry, entry); next += 1)
      yield (changed[next] as Entry).row;
    yield entry.row;
  }
  for (; next < changed.length; next += 1) yield (changed[next] as Entry).row;
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
    for (const part of PARTS) {
      for (const [row, isHit, value] of matchingEntries(
        connection,
        selection,
        index,
        changed,
        part,
        descending,
      )) {
        if (budget.isSpent()) isSpent = true;
        if (isSpent) return;
        if (isHit === 1) yield { row: row as number, value: value as Entry['value'] };
      }
    }
  }
  const rows: number[] = [];
  const wanted = offset + limit + 1;
  for (const row of mergedWith(entries(), changed.wanted, changed.isBefore)) {
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

function matchingEntries(
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
    `SELECT f.row, instr(g.search, ?) > 0 ${matches}, f.value FROM ${fieldTable(number)} f CROSS JOIN granules g ON g.row = f.row
     WHERE ${part.sql} ${others.sql} ${narrowed.sql} AND g.change > ? AND g.change <= ? ${orderOf(descending)}`,
    q,
    ...part.values,
    ...others.values,
    ...narrowed.values,
    after,
    through,
  );
}
