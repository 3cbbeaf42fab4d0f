import type { Databases } from '../kapsule-rules/data-sources.ts';
import { purgeKapsule } from '../kapsule-rules/purge-kapsule.ts';
import type { Log } from '../logging/logs.ts';

/** Deletes for good what can no longer be restored; each of them is a unit of its own, once for all instances. */
export async function sweepDeleted(databases: Databases, now: number, log: Log): Promise<void> {
  const due = (await databases.store.deletedKapsules.all()).filter(
    ({ purgeAt, state }) => state === 'deleting' || Date.parse(purgeAt) <= now,
  );
  for (const { id } of due) {
    try {
      const call = { caller: undefined, ip: '', requestId: id };
      await purgeKapsule(databases, id, { call, now, actor: { id: null, username: 'service' } });
    } catch (err) {
      // The next sweep tries again: the data source did not answer.
      log.warn({ err, kapsuleId: id }, 'a deleted kapsule could not be purged');
    }
  }
}
