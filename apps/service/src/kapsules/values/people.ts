import type { KapsuleRecord, Store, UserRecord } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { seen } from '../kapsules/kapsule-access.ts';

/**
 * The accounts that may read the kapsule as its owner or by a group, for a caller who may read it likewise. Other callers, whom only
 * EVERYONE lets in, learn no names; ADMINs are not listed, because their role says nothing about this kapsule.
 */
export async function peopleOf(
  store: Store,
  kapsule: Pick<KapsuleRecord, 'id' | 'ownerId'>,
  caller: Caller,
): Promise<UserRecord[]> {
  if (!(await seen(store, kapsule.id, caller))) return [];
  const groups = await store.groups.findBy('kapsuleIds', kapsule.id);
  const ids = new Set([kapsule.ownerId, ...groups.flatMap(({ userIds }) => userIds)]);
  return (await store.users.all()).filter(({ id }) => ids.has(id));
}
