import type { Connection } from '../connection.ts';
import { INDEX_SLICE_BYTES, SEARCH_TABLE_ROWS, SLICE_ROWS, STEP_SLICES } from '../tuning.ts';
import { inPieces } from '../waiting-writes.ts';
import { firstRow, lastRow } from './counters.ts';
import { createSearchTable, hasSearchTable, searchTable } from './search-table.ts';

/** The first row of every large kapsule that its index does not know yet; a row's number begins with its kapsule's. */
export const UNINDEXED = `
  SELECT c.kapsule FROM granule_counts c WHERE c.lastRow >= ${SEARCH_TABLE_ROWS} AND EXISTS (
    SELECT 1 FROM granule_unindexed u WHERE u.row BETWEEN c.kapsule << 32 AND ((c.kapsule + 1) << 32) - 1
  ) LIMIT 1`;

const NEXT = `
  SELECT u.row, coalesce(octet_length(g.search), 0) AS bytes FROM granule_unindexed u LEFT JOIN granules g ON g.row = u.row
  WHERE u.row BETWEEN ? AND ? ORDER BY u.row LIMIT ${SLICE_ROWS}`;

/**
 * Two appended characters make every character of a text the first of a trigram, so that one and two characters can
 * be searched.
 */
const index = (kapsule: number) => `
  INSERT INTO ${searchTable(kapsule)} (rowid, text)
  SELECT g.row, g.search || char(1, 1) FROM granule_unindexed u CROSS JOIN granules g ON g.row = u.row
  WHERE u.row BETWEEN ? AND ?`;

/** Indexes some rows; returns false when all rows are indexed. */
export function indexRows(connection: Connection): boolean {
  return inPieces(STEP_SLICES, () => indexSlice(connection));
}

function indexSlice(connection: Connection): boolean {
  const found = connection.get(UNINDEXED) as { kapsule: number } | undefined;
  if (!found) return false;
  const { kapsule } = found;
  const range = [firstRow(kapsule), lastOfStep(connection, kapsule)];
  if (!hasSearchTable(connection, kapsule)) createSearchTable(connection, kapsule);
  connection.run(index(kapsule), ...range);
  connection.run('DELETE FROM granule_unindexed WHERE row BETWEEN ? AND ?', ...range);
  return true;
}

function lastOfStep(connection: Connection, kapsule: number): number {
  const next = connection.all<{ row: number; bytes: number }>(NEXT, firstRow(kapsule), lastRow(kapsule));
  let bytes = 0;
  let last = firstRow(kapsule);
  for (const [position, entry] of next.entries()) {
    bytes += entry.bytes;
    if (position > 0 && bytes > INDEX_SLICE_BYTES) break;
    last = entry.row;
  }
  return last;
}
