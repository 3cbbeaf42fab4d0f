import { PageRoom } from '../../../errors.ts';
import type { GranulePageQuery } from '../../../granules.ts';
import { fromNearerEnd } from '../../shared/nearer-end.ts';
import { ScanBudget } from '../../shared/scan-budget.ts';
import type { Connection } from '../connection.ts';
import { SORTED_RANGE_ROWS } from '../tuning.ts';
import { columnsOf, type Table, type TextRecord } from './records.ts';
import { searchRows } from './search.ts';
import { orderOf, type RowPage, type Selection, select } from './selection.ts';
import { rowsByField } from './sort-by-field.ts';

interface TextPage {
  rows: TextRecord[];
  total: number;
  totalIsExact: boolean;
  isCut: boolean;
  isPartial: boolean;
}

/** With another budget in tests. */
export function readPage(
  connection: Connection,
  kapsuleId: string,
  query: GranulePageQuery,
  budget = new ScanBudget(),
): TextPage {
  const selection = select(connection, kapsuleId, query);
  if (!selection) return { rows: [], total: 0, totalIsExact: true, isCut: false, isPartial: false };
  const page = pageOf(connection, selection, query, budget);
  const rows = rowsThatFit(connection, selection.table, page.rows);
  return {
    ...page,
    rows: readRows(connection, selection.table, rows),
    isCut: rows.length < page.rows.length,
  };
}

function pageOf(
  connection: Connection,
  selection: Selection,
  query: GranulePageQuery,
  budget: ScanBudget,
): RowPage {
  if (query.sortField) return rowsByField(connection, selection, query, query.sortField, budget);
  return selection.q === '' && selection.matches === ''
    ? rowsOf(connection, selection, query)
    : searchRows(connection, selection, query, budget);
}

/** Skips rows from the nearer end, and only along an index. */
function rowsOf(connection: Connection, selection: Selection, query: GranulePageQuery): RowPage {
  const { table, kapsule, after, through, total, isPart } = selection;
  const { range, isReversed } = fromNearerEnd(query, total);
  const { sort } = query;
  const { by, index } = orderOf(table, sort, range.descending);
  const isAlongChanges = sort === 'updatedAt' || sort === 'reloaded';
  const source =
    isPart && !isAlongChanges && total <= SORTED_RANGE_ROWS ? 'INDEXED BY granules_change' : index;
  const span = isPart ? 'AND g.change > ? AND g.change <= ?' : '';
  const rows = connection
    .all<{ row: number }>(
      `SELECT g.row FROM ${table} g ${source} WHERE g.kapsule = ? ${span} ORDER BY ${by} LIMIT ? OFFSET ?`,
      kapsule,
      ...(isPart ? [after, through] : []),
      range.limit,
      range.offset,
    )
    .map(({ row }) => row);
  return { rows: isReversed ? rows.toReversed() : rows, total, totalIsExact: true, isPartial: false };
}

/** The first rows, as many as a page may hold. SQLite knows the length of a text without reading it. */
function rowsThatFit(connection: Connection, table: Table, rows: number[]): number[] {
  const sql = `
    SELECT octet_length(g.key) + octet_length(g.user) + octet_length(g.data) AS bytes
    FROM json_each(?) wanted CROSS JOIN ${table} g ON g.row = wanted.value ORDER BY wanted.key`;
  const sizes = connection.all<{ bytes: number }>(sql, JSON.stringify(rows));
  const room = new PageRoom();
  const left = sizes.findIndex(({ bytes }) => !room.takes(bytes));
  return left < 0 ? rows : rows.slice(0, left);
}

export function readRows(connection: Connection, table: Table, rows: number[]): TextRecord[] {
  const sql = `
    SELECT ${columnsOf[table]} FROM json_each(?) wanted CROSS JOIN ${table} g ON g.row = wanted.value
    JOIN granule_counts c ON c.kapsule = g.kapsule ORDER BY wanted.key`;
  return connection.all<TextRecord>(sql, JSON.stringify(rows)).map((row) => ({ ...row }));
}
