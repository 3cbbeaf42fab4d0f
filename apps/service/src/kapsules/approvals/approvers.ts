import { mayDelete, mayWriteGranules } from '@kaptain/contract';
import type { GroupRecord, KapsuleRecord, Nouns } from '@kaptain/store';
import type { Caller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { SeenKapsule } from '../kapsules/kapsule-access.ts';

/** Whether the account approves by one of these groups: a chosen one that still has the kapsule. */
const approvesBy = (
  { id, approval }: KapsuleRecord,
  userId: string,
  groups: readonly GroupRecord[],
): boolean =>
  groups.some(
    (group) =>
      approval?.groupIds.includes(group.id) &&
      group.userIds.includes(userId) &&
      group.kapsuleIds.includes(id),
  );

/**
 * Whether the caller decides about proposals of others: as one of the chosen approvers who may write. While no approval is asked for
 * any more, those who may change the kapsule close what is still open. A server with an API key names people and proves none.
 */
export function mayDecideIn({ kapsule, authority, groups }: SeenKapsule, caller: Caller): boolean {
  if (caller.apiKeyId !== undefined) return false;
  if (!kapsule.approval) return mayDelete(caller.role, authority);
  const mayWrite = mayWriteGranules(caller.role, authority, kapsule.writers);
  return mayWrite && approvesBy(kapsule, caller.userId, groups);
}

/** Whether the caller sees the proposals of all: to decide, or because they may change the kapsule. */
export const seesAllProposals = (seen: SeenKapsule, caller: Caller): boolean =>
  mayDelete(caller.role, seen.authority) || mayDecideIn(seen, caller);

export function requireDecider(seen: SeenKapsule, caller: Caller): void {
  if (!mayDecideIn(seen, caller))
    throw new AppError('FORBIDDEN', 'You are not one of those who approve here.');
}

/** A deletion is a change of all fields at once. */
export function requireMayRemove({ kapsule, groups }: SeenKapsule, { userId }: Pick<Caller, 'userId'>): void {
  if (!kapsule.approval || kapsule.ownerId === userId || approvesBy(kapsule, userId, groups)) return;
  throw new AppError(
    'FORBIDDEN',
    `Changes of ${kapsule.name} need approval: only its owner and those who approve may delete records.`,
  );
}

/** Those of these accounts that are approvers at present. */
export async function presentApprovers(
  { groups }: Pick<Nouns, 'groups'>,
  kapsule: KapsuleRecord,
  userIds: readonly string[],
): Promise<string[]> {
  if (userIds.length === 0) return [];
  const chosen = await Promise.all((kapsule.approval?.groupIds ?? []).map((id) => groups.get(id)));
  const present = chosen.filter((group) => group !== undefined);
  return userIds.filter((userId) => approvesBy(kapsule, userId, present));
}
