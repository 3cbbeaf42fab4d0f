import type { Connection } from '../connection.ts';

const ROWS = 1_000;
const CHARACTERS = 200_000;

const NEXT = `
  SELECT u.row, coalesce(octet_length(g.search), 0) AS bytes FROM granule_unindexed u LEFT JOIN granules g ON g.row = u.row
  ORDER BY u.row LIMIT ${ROWS}`;

const INDEX = `
  INSERT INTO granule_search (rowid, text)
  SELECT g.row, g.search FROM granule_unindexed u CROSS JOIN granules g ON g.row = u.row WHERE u.row <= ?`;

/** One step of teaching the search index what it does not know yet; false when it knows everything. */
export function indexRows(connection: Connection): boolean {
  const next = connection.all<{ row: number; bytes: number }>(NEXT);
  let bytes = 0;
  let last: number | undefined;
  for (const entry of next) {
    bytes += entry.bytes;
    if (last !== undefined && bytes > CHARACTERS) break;
    last = entry.row;
  }
  if (last === undefined) return false;
  connection.run(INDEX, last);
  connection.run('DELETE FROM granule_unindexed WHERE row <= ?', last);
  return true;
}
