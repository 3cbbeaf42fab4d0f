import type { Connection } from '../connection.ts';
import { SLICE_ROWS, STEP_SLICES } from '../tuning.ts';
import { inPieces } from '../waiting-writes.ts';
import { findCounter, saveCounter } from './counters.ts';

/** A kapsule with deletions that an earlier version has stored without a number. */
export const UNNUMBERED = `
  SELECT c.kapsuleId FROM granules_deleted g JOIN granule_counts c ON c.kapsule = g.kapsule WHERE g.deletion IS NULL LIMIT 1`;

const NEXT = `SELECT row FROM granules_deleted WHERE kapsule = ? AND deletion IS NULL ORDER BY row LIMIT ${SLICE_ROWS}`;
const NUMBER = 'UPDATE granules_deleted SET deletion = ? WHERE row = ?';

/** Gives numbers to some deletions of an earlier version, as if they happened now; returns false when all have one. */
export function numberDeletions(connection: Connection): boolean {
  return inPieces(STEP_SLICES, () => numberSlice(connection));
}

function numberSlice(connection: Connection): boolean {
  const found = connection.get(UNNUMBERED) as { kapsuleId: string } | undefined;
  const counter = found && findCounter(connection, found.kapsuleId);
  if (!counter) return false;
  for (const { row } of connection.all<{ row: number }>(NEXT, counter.kapsule))
    connection.run(NUMBER, ++counter.lastChange, row);
  saveCounter(connection, counter);
  return true;
}

const COUNT = `
  SELECT count(*) AS deletions FROM granule_counts c CROSS JOIN granules_deleted g ON g.kapsule = c.kapsule
  WHERE c.kapsuleId = ? AND`;

export function readDeletedSince(connection: Connection, kapsuleId: string, watermark: number): number {
  const count = (condition: string, ...values: number[]) =>
    (connection.get(`${COUNT} ${condition}`, kapsuleId, ...values) as { deletions: number }).deletions;
  return count('g.deletion > ?', watermark) + count('g.deletion IS NULL');
}

/** A deleted granule `g` in a stream of changes; without _id in a table. */
export function deletionLine(isTable: boolean): string {
  const start = isTable ? `'{"key":'` : `'{"_id":"', g.id, '","key":'`;
  return `concat(${start}, json_quote(g.key), ',"deleted":true,"deletedAt":"', g.deletedAt, '"}', char(10))`;
}

/** The lines of deletions without a number: every reader gets them until they have one. */
export function* unnumberedLines(connection: Connection, kapsule: number, line: string): Generator<string> {
  const sql = `
    SELECT g.row, ${line} AS line FROM granules_deleted g
    WHERE g.kapsule = ? AND g.deletion IS NULL AND g.row > ? ORDER BY g.row LIMIT ${SLICE_ROWS}`;
  for (let after = 0; ; ) {
    const rows = connection.all<{ row: number; line: string }>(sql, kapsule, after);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.line).join('');
    after = last.row;
  }
}
