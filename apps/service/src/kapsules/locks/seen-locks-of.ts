import { dependsOnRowOnly, type SeenLock, seenLocks } from '@kaptain/contract/locks';
import type { KapsuleRecord, Nouns } from '@kaptain/store';
import type { Caller, ExtensionCaller } from '../../base/call/call.ts';

/** Groups that have the kapsule, and the caller in it. */
async function groupIdsOf({ groups }: Pick<Nouns, 'groups'>, id: string, userId: string) {
  const own = await groups.findBy('userIds', userId);
  return own.filter(({ kapsuleIds }) => kapsuleIds.includes(id)).map((group) => group.id);
}

type Locked = Pick<KapsuleRecord, 'id' | 'locks'>;

/** The locks of a kapsule as an account meets them now, or a person without one. */
export async function locksForAccount(
  nouns: Pick<Nouns, 'groups'>,
  { id, locks }: Locked,
  account: Pick<Caller, 'userId' | 'username'> | undefined,
  now: number,
): Promise<SeenLock[]> {
  if (!locks || locks.length === 0) return [];
  const asksGroups = locks.some(({ conditions }) => conditions.some(({ on }) => on === 'group'));
  return seenLocks(locks, {
    ...(account && { username: account.username }),
    groupIds: new Set(account && asksGroups ? await groupIdsOf(nouns, id, account.userId) : []),
    now: new Date(now).toISOString(),
  });
}

/** The locks of a kapsule as this caller meets them now; a call with an API key is one of its creator. */
export function seenLocksOf(
  nouns: Pick<Nouns, 'groups'>,
  kapsule: Locked,
  caller: Caller,
  now: number,
): Promise<SeenLock[]> {
  const hasAccount =
    (caller as Partial<ExtensionCaller>).extension === undefined || caller.user !== undefined;
  return locksForAccount(nouns, kapsule, hasAccount ? caller : undefined, now);
}

/** Whether the locks of a kapsule are the same for all callers at all times: what was read of the kapsule then decides alone. */
export const areSameForAll = ({ locks }: Pick<KapsuleRecord, 'locks'>): boolean =>
  locks?.every(dependsOnRowOnly) ?? true;
