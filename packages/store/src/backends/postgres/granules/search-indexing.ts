import { locks } from '../locks.ts';
import type { Session } from '../session.ts';
import { SEARCH_INDEX_STEP_ROWS, UNINDEXED_ROWS } from '../tuning.ts';

const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${locks.searchIndex}) AS "isMine"`;

/** Kapsules that are searched by their trigrams and have changes without any. */
const NEXT = `
  SELECT c.kapsule, c.last_change AS "lastChange", coalesce(i.through, 0) AS through
  FROM kapsule_data.granule_counts c LEFT JOIN kapsule_data.granule_indexed i USING (kapsule)
  WHERE c.total > ${UNINDEXED_ROWS} AND c.last_change > coalesce(i.through, 0) LIMIT 1`;

/** In the order of changes, which is that of the commits: no earlier one appears later. */
const INDEX = `
  WITH changed AS MATERIALIZED (
    SELECT g.id, g.kapsule, g.change, g.search, g.deleted_at FROM kapsule_data.granules g
    WHERE g.kapsule = $1 AND g.change > $2 AND g.change <= $3 ORDER BY g.change LIMIT ${SEARCH_INDEX_STEP_ROWS}
  ), indexed AS (
    INSERT INTO kapsule_data.granule_search (id, kapsule, search)
    SELECT id, kapsule, search FROM changed WHERE deleted_at IS NULL
    ON CONFLICT (id) DO UPDATE SET search = excluded.search
  )
  INSERT INTO kapsule_data.granule_indexed (kapsule, through)
  SELECT $1, CASE count(*) WHEN ${SEARCH_INDEX_STEP_ROWS} THEN max(change) ELSE $3 END FROM changed
  ON CONFLICT (kapsule) DO UPDATE SET through = excluded.through`;

/** Indexes the next changed rows; false when all have their trigrams, or another instance is at it. */
export async function indexRows(session: Session): Promise<boolean> {
  if (!(await session.get<{ isMine: boolean }>(TRY_LOCK))?.isMine) return false;
  const next = await session.get<{ kapsule: number; lastChange: number; through: number }>(NEXT);
  if (!next) return false;
  // A crash of the database loses the rows of the last steps and how far they went together, so they are made again.
  await session.exec('SET LOCAL synchronous_commit = off');
  await session.run(INDEX, next.kapsule, next.through, next.lastChange);
  return true;
}
