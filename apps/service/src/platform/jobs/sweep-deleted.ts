import type { Log } from '../../base/logging/logs.ts';
import { sweepProposals } from '../../kapsules/approvals/remove-proposals.ts';
import type { Databases } from '../../kapsules/data-sources/data-sources.ts';
import { purgeKapsule } from '../../kapsules/kapsules/purge-kapsule.ts';

/** Deletes for good what can no longer be restored, each of them in a unit of its own, once for all instances; and old proposals. */
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
  await sweepProposals(databases.store, now);
}
