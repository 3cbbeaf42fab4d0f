import { foldName, type KapsuleRecord, type Store, type UserRecord } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { seen } from '../kapsules/kapsule-access.ts';

type Kapsule = Pick<KapsuleRecord, 'id' | 'ownerId'>;

/** With more names, reading all accounts once is cheaper than looking each name up. */
const MOST_NAMES = 50;

/** The ids of the accounts that may read the kapsule as its owner or by a group; undefined for a caller who may not read it likewise. */
async function readerIds(store: Store, { id, ownerId }: Kapsule, caller: Caller) {
  if (!(await seen(store, id, caller))) return undefined;
  const groups = await store.groups.findBy('kapsuleIds', id);
  return new Set([ownerId, ...groups.flatMap(({ userIds }) => userIds)]);
}

/**
 * The accounts that may read the kapsule as its owner or by a group, for a caller who may read it likewise. Other callers, whom only
 * EVERYONE lets in, learn no names; ADMINs are not listed, because their role says nothing about this kapsule.
 */
export async function peopleOf(store: Store, kapsule: Kapsule, caller: Caller): Promise<UserRecord[]> {
  const ids = await readerIds(store, kapsule, caller);
  return ids ? (await store.users.all()).filter(({ id }) => ids.has(id)) : [];
}

/** Those of these user names whose accounts are among the same. */
export async function peopleNamed(
  store: Store,
  kapsule: Kapsule,
  caller: Caller,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> {
  if (names.size === 0) return names;
  if (names.size > MOST_NAMES)
    return new Set((await peopleOf(store, kapsule, caller)).map(({ username }) => username));
  const ids = await readerIds(store, kapsule, caller);
  const found = await Promise.all([...names].map((name) => store.users.findBy('nameKey', foldName(name))));
  return new Set(found.flat().flatMap(({ id, username }) => (ids?.has(id) ? [username] : [])));
}
