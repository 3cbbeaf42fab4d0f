import type { FieldType } from '@kaptain/contract/fields';
import { FIELD_INDEX_UNUSED_MS } from '../../shared/tuning.ts';
import type { Connections } from '../connections.ts';
import { locks } from '../locks.ts';
import type { Session } from '../session.ts';
import { FIELD_INDEX_STEP_ROWS, VACUUM_ENTRIES } from '../tuning.ts';
import { entryOf } from './field-entries.ts';
import { dropFieldIndex } from './field-indexes.ts';

const TRY_LOCK = `SELECT pg_try_advisory_xact_lock(${locks.fieldIndexes}) AS "isMine"`;

/** The index that is used most, of those that do not know all changes of their kapsule. */
export const BEHIND = `
  SELECT i.number, i.field, i.type, i.through, c.kapsule, c.last_change AS "lastChange"
  FROM kapsule_data.granule_field_indexes i JOIN kapsule_data.granule_counts c USING (kapsule)
  WHERE i.through < c.last_change ORDER BY i.used_at DESC LIMIT 1`;

interface Behind {
  number: number;
  field: string;
  type: FieldType;
  through: number;
  kapsule: number;
  lastChange: number;
}

/** In the order of changes, which is that of the commits: no earlier one appears later. */
const index = (type: FieldType) => `
  WITH changed AS MATERIALIZED (
    SELECT g.id, g.change, g.data, g.deleted_at FROM kapsule_data.granules g
    WHERE g.kapsule = $1 AND g.change > $2 AND g.change <= $3 ORDER BY g.change LIMIT ${FIELD_INDEX_STEP_ROWS}
  ), indexed AS (
    INSERT INTO kapsule_data.granule_fields (id, number, rank, amount, words)
    SELECT g.id, $4, e.rank, e.amount, e.words FROM changed g CROSS JOIN LATERAL (${entryOf(type, '$5::text')}) e
    WHERE g.deleted_at IS NULL
    ON CONFLICT (id, number) DO UPDATE SET rank = excluded.rank, amount = excluded.amount, words = excluded.words
  )
  UPDATE kapsule_data.granule_field_indexes
  SET through = (SELECT CASE count(*) WHEN ${FIELD_INDEX_STEP_ROWS} THEN max(change) ELSE $3 END FROM changed) WHERE number = $4
  RETURNING (SELECT count(*) FROM changed) AS indexed`;

/**
 * Removes deleted granules from the indexes. A granule that was restored has a later change: its entry stays if the index
 * knows that change, and is made again if not.
 */
const REMOVE = `
  WITH removed AS MATERIALIZED (
    SELECT number, id FROM kapsule_data.granule_field_removals ORDER BY number LIMIT ${FIELD_INDEX_STEP_ROWS}
  ), entries AS (
    DELETE FROM kapsule_data.granule_fields f
    USING removed r JOIN kapsule_data.granules g ON g.id = r.id, kapsule_data.granule_field_indexes i
    WHERE f.id = r.id AND i.number = f.number AND (g.deleted_at IS NOT NULL OR g.change > i.through)
  )
  DELETE FROM kapsule_data.granule_field_removals d USING removed r WHERE d.number = r.number`;

const DROPPED = 'SELECT number FROM kapsule_data.granule_field_drops LIMIT 1';
const CLEAR = `
  DELETE FROM kapsule_data.granule_fields WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM kapsule_data.granule_fields WHERE number = $1 LIMIT ${FIELD_INDEX_STEP_ROWS}))`;

/**
 * Only what is vacuumed is read from the index alone, and PostgreSQL itself would begin a minute later. Dead entries are left to
 * it, because removing them reads the whole index.
 */
const VACUUM = 'VACUUM (SKIP_LOCKED, INDEX_CLEANUP OFF, ANALYZE) kapsule_data.granule_fields';

/** The steps that keep the indexes of fields up to date; each says whether there is more to do. */
export function fieldIndexing(connections: Connections): () => Promise<boolean> {
  let entries = 0;
  return async () => {
    const { isMore, indexed } = await connections.atomically(connections.granuleWrites, 'BEGIN', indexFields);
    entries += indexed;
    if (isMore || entries < VACUUM_ENTRIES) return isMore;
    entries = 0;
    await connections.apart((session) => session.exec(VACUUM));
    return false;
  };
}

/** Brings the indexes of fields one step further; there is no more when nothing is to do, or another instance is at it. */
async function indexFields(session: Session): Promise<{ isMore: boolean; indexed: number }> {
  if (!(await session.get<{ isMine: boolean }>(TRY_LOCK))?.isMine) return { isMore: false, indexed: 0 };
  // A crash of the database loses the entries of the last steps and how far they went together, so they are made again.
  await session.exec('SET LOCAL synchronous_commit = off');
  const removed = await session.run(REMOVE);
  const behind = await session.get<Behind>(BEHIND);
  if (behind) {
    const { kapsule, through, lastChange, number, field, type } = behind;
    const done = await session.get<{ indexed: number }>(
      index(type),
      kapsule,
      through,
      lastChange,
      number,
      field,
    );
    return { isMore: true, indexed: done?.indexed ?? 0 };
  }
  return { isMore: removed > 0 || (await dropEntries(session)), indexed: 0 };
}

async function dropEntries(session: Session): Promise<boolean> {
  const unused = await session.get<{ number: number }>(
    'SELECT number FROM kapsule_data.granule_field_indexes WHERE used_at < $1 LIMIT 1',
    Date.now() - FIELD_INDEX_UNUSED_MS,
  );
  if (unused) await dropFieldIndex(session, unused.number);
  const dropped = await session.get<{ number: number }>(DROPPED);
  if (!dropped) return false;
  if ((await session.run(CLEAR, dropped.number)) === 0)
    await session.run('DELETE FROM kapsule_data.granule_field_drops WHERE number = $1', dropped.number);
  return true;
}
