import type { GranulePageQuery } from '../../../granules.ts';
import type { Connection } from '../connection.ts';
import { CANDIDATES, type Candidates, candidatesOf } from './candidates.ts';
import type { RowPage } from './page.ts';
import { orderOf, type Selection } from './selection.ts';

/**
 * Up to here all candidates are fetched and sorted. With more of them in a million rows, walking along the order
 * meets a page of hits at least as soon: both cost about the square root of page size times rows.
 */
const FEW = 10_000;
/** When that many rows in order gave no page, the hits lie at the other end, and sorting them all is better. */
const MAX_WALK = 50_000;
const SLICE = 2_500;
/** Counting goes on this long after the page is complete. */
const COUNTING_MS = 20;

export function searchRows(connection: Connection, selection: Selection, query: GranulePageQuery): RowPage {
  const candidates = candidatesOf(connection, selection, FEW + 1);
  if (candidates && candidates.count <= FEW) return gather(connection, selection, query, candidates);
  const walked = walk(connection, selection, query, candidates ? MAX_WALK : Number.POSITIVE_INFINITY);
  return walked ?? (candidates ? gather(connection, selection, query, candidates) : NOTHING);
}

const NOTHING: RowPage = { rows: [], total: 0, totalIsExact: true };

/** Compares every candidate and sorts the hits: the total is exact. */
function gather(
  connection: Connection,
  { table, after, through, q }: Selection,
  { sort, descending, offset, limit }: GranulePageQuery,
  { values }: Candidates,
): RowPage {
  const { by } = orderOf(table, sort, descending);
  const hits = `
    WITH candidates AS MATERIALIZED (${CANDIDATES})
    SELECT g.row, count(*) OVER () AS total FROM candidates CROSS JOIN granules g ON g.row = candidates.row
    WHERE g.change > ?4 AND g.change <= ?5 AND instr(g.search, ?6) > 0 ORDER BY ${by} LIMIT ?7 OFFSET ?8`;
  const read = (count: number, skip: number) =>
    connection.all<{ row: number; total: number }>(hits, ...values, after, through, q, count, skip);
  const page = read(limit, offset);
  const total = (page[0] ?? read(1, 0)[0])?.total ?? 0;
  return { rows: page.map(({ row }) => row), total, totalIsExact: true };
}

/** Looks at row after row in the wanted order, until the page is full; undefined when it isn't within `maxRows`. */
function walk(
  connection: Connection,
  { table, kapsule, after, through, q }: Selection,
  { sort, descending, offset, limit }: GranulePageQuery,
  maxRows: number,
): RowPage | undefined {
  const { by, index } = orderOf(table, sort, descending);
  // The inner query skips along the index; only the rows of the slice are looked at.
  const slice = `
    SELECT row, change > ? AND change <= ? AND instr(search, ?) > 0 AS isHit FROM (
      SELECT g.row, g.change, g.search FROM ${table} g ${index} WHERE g.kapsule = ? ORDER BY ${by} LIMIT ? OFFSET ?
    )`;
  const found: number[] = [];
  const started = performance.now();
  for (let seen = 0; ; seen += SLICE) {
    const isFull = found.length > offset + limit;
    if (isFull && performance.now() - started > COUNTING_MS) break;
    if (!isFull && seen >= maxRows) return undefined;
    const rows = connection.all<{ row: number; isHit: number }>(
      slice,
      after,
      through,
      q,
      kapsule,
      SLICE,
      seen,
    );
    for (const { row, isHit } of rows) if (isHit === 1) found.push(row);
    if (rows.length < SLICE) return pageOf(found, offset, limit, true);
  }
  return pageOf(found, offset, limit, false);
}

const pageOf = (found: number[], offset: number, limit: number, totalIsExact: boolean): RowPage => ({
  rows: found.slice(offset, offset + limit),
  total: found.length,
  totalIsExact,
});
