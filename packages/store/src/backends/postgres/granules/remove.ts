import { FIELD_INDEX_LEAST_ROWS } from '../../shared/tuning.ts';
import type { Session } from '../session.ts';
import { type Counter, lockCounter, saveCounter, timeFor } from './counters.ts';

/** The granules that were changed, and their kapsules. */
export interface Touched {
  ids: string[];
  kapsuleIds: string[];
}

/** In the order of their numbers, so that two who lock the same kapsules never wait for each other. */
const KAPSULES_OF = `
  SELECT DISTINCT c.kapsule, c.kapsule_id AS "kapsuleId"
  FROM kapsule_data.granules g JOIN kapsule_data.granule_counts c USING (kapsule)
  WHERE g.id = ANY($1) ORDER BY c.kapsule`;

/** A deletion has its own number in the order of changes. `kapsule + 0` hides the index by kapsule, which old statistics favour. */
const REMOVE = `
  WITH removed AS (
    UPDATE kapsule_data.granules SET deleted_at = $3, deleted_by = $4
    WHERE id = ANY($1) AND kapsule + 0 = $2 AND deleted_at IS NULL RETURNING id, change
  ), named AS (
    INSERT INTO kapsule_data.granule_field_removals (kapsule, id) SELECT $2, id FROM removed WHERE $5
  ), numbered AS (
    INSERT INTO kapsule_data.granule_deletions (id, kapsule, change)
    SELECT id, $2, $6::bigint + row_number() OVER () FROM removed
    ON CONFLICT (id) DO UPDATE SET change = excluded.change
  )
  SELECT id, change FROM removed`;

/** Restoring is a change of its own, so that incremental readers get the granule again. */
const RESTORE = `
  WITH dead AS MATERIALIZED (
    SELECT g.*, $5::bigint + row_number() OVER (ORDER BY array_position($1, g.id)) AS next
    FROM kapsule_data.granules g WHERE g.id = ANY($1) AND g.kapsule + 0 = $2 AND g.deleted_at IS NOT NULL
  ), kept AS (
    INSERT INTO kapsule_data.granule_history
      (kapsule, id, version, updated_at, deleted_at, deleted_by, restored_by, "user", data)
    SELECT kapsule, id, version, updated_at, deleted_at, deleted_by, $4, "user", data FROM dead
  )
  UPDATE kapsule_data.granules g SET version = g.version + 1, change = d.next, updated_at = $3,
    deleted_at = NULL, deleted_by = NULL
  FROM dead d WHERE g.id = d.id RETURNING g.id`;

/** Also where there is no index yet: one that is being made may have read the granule before. */
const mayHaveIndexes = ({ total, deleted }: Counter) => total + deleted >= FIELD_INDEX_LEAST_ROWS;

export const removeMany = (session: Session, ids: readonly string[], by: string): Promise<Touched> =>
  forEachKapsule(session, ids, async (counter, now) => {
    const removed = await session.all<{ id: string; change: number }>(
      REMOVE,
      ids,
      counter.kapsule,
      now,
      by,
      mayHaveIndexes(counter),
      counter.lastChange,
    );
    counter.lastChange += removed.length;
    counter.total -= removed.length;
    counter.deleted += removed.length;
    counter.reloaded -= removed.filter(({ change }) => change <= counter.reloadedThrough).length;
    return removed.map(({ id }) => id);
  });

export const restoreMany = (session: Session, ids: readonly string[], by: string): Promise<Touched> =>
  forEachKapsule(session, ids, async (counter, now) => {
    const back = await session.all<{ id: string }>(
      RESTORE,
      ids,
      counter.kapsule,
      now,
      by,
      counter.lastChange,
    );
    counter.lastChange += back.length;
    counter.total += back.length;
    counter.deleted -= back.length;
    return back.map(({ id }) => id);
  });

async function forEachKapsule(
  session: Session,
  ids: readonly string[],
  work: (counter: Counter, now: string) => Promise<string[]>,
): Promise<Touched> {
  const touched: Touched = { ids: [], kapsuleIds: [] };
  for (const { kapsuleId } of await session.all<Counter>(KAPSULES_OF, ids)) {
    const counter = await lockCounter(session, kapsuleId);
    if (!counter) continue;
    const changed = await work(counter, timeFor(counter));
    if (changed.length === 0) continue;
    await saveCounter(session, counter, changed.length);
    touched.ids.push(...changed);
    touched.kapsuleIds.push(kapsuleId);
  }
  return touched;
}
