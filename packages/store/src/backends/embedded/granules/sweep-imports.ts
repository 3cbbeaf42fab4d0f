import type { Connection } from '../connection.ts';
import { SLICE_ROWS, STEP_SLICES } from '../tuning.ts';
import { inPieces } from '../waiting-writes.ts';
import { isOver, type Lease } from './lease.ts';
import { replaceSlice } from './replace-more.ts';

const PUBLISHED = 'SELECT kapsuleId FROM granule_counts WHERE kapsule = ? AND replacedThrough IS NOT NULL';

/** Deletes leftovers of ended imports, one batch per call; returns false when none is left. A published import replaces all its rows first. */
export function sweepImports(connection: Connection): boolean {
  return inPieces(STEP_SLICES, () => sweepSlice(connection));
}

function sweepSlice(connection: Connection): boolean {
  const lease = connection.all<Lease>('SELECT * FROM granule_imports').find(isOver);
  if (!lease) return false;
  const published = connection.get(PUBLISHED, lease.kapsule) as { kapsuleId: string } | undefined;
  if (published && replaceSlice(connection, published.kapsuleId)) return true;
  connection.run('UPDATE granule_imports SET name = NULL WHERE kapsule = ?', lease.kapsule);
  const hidden = connection.run(
    `DELETE FROM granules WHERE row IN (
       SELECT g.row FROM granule_counts c JOIN granules g ON g.kapsule = c.kapsule AND g.change > c.lastChange
       WHERE c.kapsule = ? LIMIT ${SLICE_ROWS}
     )`,
    lease.kapsule,
  );
  const wasStaged = dropStaged(connection, lease.kapsule);
  if (hidden === 0 && !wasStaged) {
    connection.run('DELETE FROM granule_imports WHERE kapsule = ?', lease.kapsule);
  }
  return true;
}

/** Removes some of the staged rows of a kapsule; returns false when there are none. */
export function dropStaged(connection: Connection, kapsule: number): boolean {
  const staged = connection.run(
    `DELETE FROM granule_staged WHERE staged IN (SELECT staged FROM granule_staged WHERE kapsule = ? LIMIT ${SLICE_ROWS})`,
    kapsule,
  );
  return staged > 0;
}
