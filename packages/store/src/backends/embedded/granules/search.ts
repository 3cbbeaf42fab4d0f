import type { GranulePageQuery } from '../../../granules.ts';
import { ScanBudget } from '../../shared/scan-budget.ts';
import type { Connection } from '../connection.ts';
import { HIT_COUNTING_MS, SEARCH_FETCHED_ROWS, SEARCH_WALKED_ROWS } from '../tuning.ts';
import { type Candidates, candidatesOf } from './candidates.ts';
import { countByIndex } from './count-by-index.ts';
import { type EntryCondition, narrowedBy } from './field-narrowing.ts';
import { orderOf, type RowPage, type Selection } from './selection.ts';

export function searchRows(
  connection: Connection,
  selection: Selection,
  query: GranulePageQuery,
  given: ScanBudget,
): RowPage {
  // A search alone is quick: its index has every text.
  const budget = selection.matches === '' ? new ScanBudget(Number.POSITIVE_INFINITY) : given;
  const candidates = candidatesOf(connection, selection, SEARCH_FETCHED_ROWS);
  if (candidates?.areFew) return gather(connection, selection, query, candidates);
  const among = candidates ? amongCandidates(candidates) : narrowedBy(selection.narrowings);
  const canSift = among.sql !== '';
  const { page, isComplete } = walk(
    connection,
    selection,
    query,
    budget,
    canSift ? SEARCH_WALKED_ROWS : Number.POSITIVE_INFINITY,
  );
  const found = isComplete || !canSift ? page : sift(connection, selection, query, budget, among);
  const total = found.totalIsExact ? undefined : countByIndex(connection, selection);
  return total === undefined ? found : { ...found, total, totalIsExact: true };
}

/** Compares every candidate and sorts the hits: the total is exact. */
function gather(
  connection: Connection,
  { table, after, through, q, matches }: Selection,
  { sort, descending, offset, limit }: GranulePageQuery,
  candidates: Candidates,
): RowPage {
  const { by } = orderOf(table, sort, descending);
  const hits = `
    WITH candidates AS MATERIALIZED (${candidates.sql})
    SELECT g.row, count(*) OVER () AS total FROM candidates CROSS JOIN granules g ON g.row = candidates.row
    WHERE g.change > ? AND g.change <= ? AND instr(g.search, ?) > 0 ${matches} ORDER BY ${by} LIMIT ? OFFSET ?`;
  const read = (count: number, skip: number) =>
    connection.all<{ row: number; total: number }>(
      hits,
      ...candidates.values,
      after,
      through,
      q,
      count,
      skip,
    );
  const page = read(limit, offset);
  const total = (page[0] ?? read(1, 0)[0])?.total ?? 0;
  return { rows: page.map(({ row }) => row), total, totalIsExact: true, isPartial: false };
}

// The plus keeps SQLite from fetching the candidates one by one, which would lose the order.
const amongCandidates = ({ sql, values }: Candidates): EntryCondition => ({
  sql: `AND +g.row IN (${sql})`,
  values,
});

/** Scans the index in sort order and compares only candidates. */
function sift(
  connection: Connection,
  { table, kapsule, after, through, q, matches }: Selection,
  { sort, descending, offset, limit }: GranulePageQuery,
  budget: ScanBudget,
  among: EntryCondition,
): RowPage {
  const { by, index } = orderOf(table, sort, descending);
  const wanted = offset + limit + 1;
  const rows = connection.each(
    `SELECT g.row, 1 ${matches} FROM ${table} g ${index} WHERE g.kapsule = ? ${among.sql}
     AND g.change > ? AND g.change <= ? AND instr(g.search, ?) > 0 ORDER BY ${by}`,
    kapsule,
    ...among.values,
    after,
    through,
    q,
  );
  return readUntil(rows, offset, limit, (_, found) => found >= wanted || budget.isSpent()).page;
}

/** Compares row after row in sort order until the page is full; incomplete after `maxRows`. */
function walk(
  connection: Connection,
  { table, kapsule, after, through, q, matches }: Selection,
  { sort, descending, offset, limit }: GranulePageQuery,
  budget: ScanBudget,
  maxRows: number,
): { page: RowPage; isComplete: boolean } {
  const { by, index } = orderOf(table, sort, descending);
  const rows = connection.each(
    `SELECT g.row, g.change > ?1 AND g.change <= ?2 AND (?3 = '' OR instr(g.search, ?3) > 0) ${matches}
     FROM ${table} g ${index} WHERE g.kapsule = ?4 ORDER BY ${by}`,
    after,
    through,
    q,
    kapsule,
  );
  const started = performance.now();
  return readUntil(rows, offset, limit, (seen, found) =>
    // One hit more than the page shows that there is a next one.
    found > offset + limit
      ? seen % 256 === 0 && performance.now() - started > HIT_COUNTING_MS
      : seen >= maxRows || budget.isSpent(),
  );
}

/** Reads rows, each with whether it is a hit, until there are enough. */
function readUntil(
  rows: Iterable<unknown[]>,
  offset: number,
  limit: number,
  isEnough: (seen: number, found: number) => boolean,
): { page: RowPage; isComplete: boolean } {
  const found: number[] = [];
  let seen = 0;
  let isEnd = true;
  for (const [row, isHit] of rows) {
    if (isHit === 1) found.push(row as number);
    seen += 1;
    if (!isEnough(seen, found.length)) continue;
    isEnd = false;
    break;
  }
  const isComplete = isEnd || found.length > offset + limit;
  return {
    page: {
      rows: found.slice(offset, offset + limit),
      total: found.length,
      totalIsExact: isEnd,
      isPartial: !isComplete,
    },
    isComplete,
  };
}
