import type { PendingWrites } from '../pending-writes.ts';

/** Drops the counters, without which no read reaches the granules; maintenance frees their space later. */
export async function purgeKapsule(pending: PendingWrites, kapsuleId: string): Promise<void> {
  const kapsule = await pending.kapsule(kapsuleId, false);
  if (!kapsule) return;
  const { k } = kapsule.counter;
  pending.drop('granule_counts', kapsuleId);
  pending.drop('granule_imports', k);
  pending.put('granule_purges', { _id: k });
  pending.forgetKapsule(kapsuleId);
}
