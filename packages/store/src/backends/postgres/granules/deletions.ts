import { BEGIN_GRANULES, type Connections } from '../connections.ts';
import type { Session } from '../session.ts';
import { NUMBERING_STEP_ROWS } from '../tuning.ts';
import { findCounter, lockCounter, saveCounter, timeFor } from './counters.ts';
import type { Selection } from './selection.ts';

/** The deleted granules of a kapsule in the order of their deletions; the entry of a restored one does not count. */
const DELETED = `
  kapsule_data.granule_deletions d JOIN kapsule_data.granules g ON g.id = d.id AND g.deleted_at IS NOT NULL`;

const COUNT = {
  name: 'count deletions',
  text: `SELECT count(*) AS deletions FROM ${DELETED} WHERE d.kapsule = $1 AND d.change > $2`,
};

export async function readDeletedSince(
  session: Session,
  kapsuleId: string,
  watermark: number,
): Promise<number> {
  const counter = await findCounter(session, kapsuleId);
  if (!counter || watermark === 0) return counter?.deleted ?? 0;
  const found = await session.get<{ deletions: number }>(COUNT, counter.kapsule, watermark);
  return found?.deletions ?? 0;
}

/** Selects the number and the line of each deletion; the numbers in `selection` are not user input. */
export const selectDeletions = ({ kapsule, after, through }: Selection, line: string): string => `
  SELECT d.change AS number, ${line} AS line FROM ${DELETED}
  WHERE d.kapsule = ${kapsule} AND d.change > ${after} AND d.change <= ${through}`;

/** Granules deleted by an earlier version, which gives no number; an entry of a previous deletion may exist. */
const UNNUMBERED = `
  SELECT g.id, g.kapsule, g.change FROM kapsule_data.granules g
  LEFT JOIN kapsule_data.granule_deletions d ON d.id = g.id AND d.change > g.change
  WHERE g.deleted_at IS NOT NULL AND d.id IS NULL`;

const NEXT = `
  SELECT c.kapsule_id AS "kapsuleId" FROM (${UNNUMBERED}) g JOIN kapsule_data.granule_counts c USING (kapsule) LIMIT 1`;

const NUMBER = `
  INSERT INTO kapsule_data.granule_deletions (id, kapsule, change)
  SELECT id, kapsule, $2::bigint + row_number() OVER (ORDER BY change)
  FROM (${UNNUMBERED} AND g.kapsule = $1 LIMIT ${NUMBERING_STEP_ROWS}) g
  ON CONFLICT (id) DO UPDATE SET change = excluded.change`;

/** Gives numbers to some deletions of an earlier version, as if they happened now; false when all have one. */
export async function numberDeletions(session: Session): Promise<boolean> {
  const next = await session.get<{ kapsuleId: string }>(NEXT);
  if (!next) return false;
  const counter = await lockCounter(session, next.kapsuleId);
  // The kapsule was purged meanwhile; others may have such deletions.
  if (!counter) return true;
  timeFor(counter);
  counter.lastChange += await session.run(NUMBER, counter.kapsule, counter.lastChange);
  await saveCounter(session, counter, 0);
  return true;
}

/** Gives numbers to all deletions that have none. */
export async function numberAllDeletions(connections: Connections): Promise<void> {
  while (await connections.atomically(connections.granuleWrites, BEGIN_GRANULES, numberDeletions));
}
