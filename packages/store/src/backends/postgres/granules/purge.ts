import { CHANNEL, type Session } from '../session.ts';
import { PURGE_STEP_ROWS } from '../tuning.ts';
import { counterOf } from './counters.ts';
import { dropFieldIndex, fieldIndexes } from './field-indexes.ts';

/** Without its counters nothing leads to the rows of a kapsule any more, however many they are. */
export async function purgeKapsule(session: Session, kapsuleId: string): Promise<void> {
  // Made where there are none, because a save may be making them: one of the two then runs again.
  const counter = await counterOf(session, kapsuleId);
  await session.run('INSERT INTO kapsule_data.granule_purges (kapsule) VALUES ($1)', counter.kapsule);
  await session.run(
    `DELETE FROM kapsule_data.granule_counts WHERE kapsule = $1 RETURNING pg_notify('${CHANNEL}', $2)`,
    counter.kapsule,
    session.noticeOf(kapsuleId),
  );
}

/** One step of freeing the space of purged kapsules; false when there is none that no other instance works on. */
export async function purgeRows(session: Session): Promise<boolean> {
  const purge = await session.get<{ kapsule: number }>(
    'SELECT kapsule FROM kapsule_data.granule_purges LIMIT 1 FOR UPDATE SKIP LOCKED',
  );
  if (!purge) return false;
  const [index] = await fieldIndexes(session, purge.kapsule);
  if (index) {
    await dropFieldIndex(session, index.number);
    return true;
  }
  const some = (table: string) =>
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE kapsule = $1 LIMIT ${PURGE_STEP_ROWS}))`;
  const granules = await session.all<{ id: string }>(
    `${some('kapsule_data.granules')} RETURNING id`,
    purge.kapsule,
  );
  await session.run(
    'DELETE FROM kapsule_data.granule_search WHERE id = ANY($1)',
    granules.map(({ id }) => id),
  );
  if (granules.length > 0) return true;
  if ((await session.run(some('kapsule_data.granule_history'), purge.kapsule)) > 0) return true;
  if ((await session.run(some('kapsule_data.granule_deletions'), purge.kapsule)) > 0) return true;
  await session.run('DELETE FROM kapsule_data.granule_indexed WHERE kapsule = $1', purge.kapsule);
  await session.run('DELETE FROM kapsule_data.granule_days WHERE kapsule = $1', purge.kapsule);
  await session.run('DELETE FROM kapsule_data.granule_purges WHERE kapsule = $1', purge.kapsule);
  return true;
}
