import { isDeepStrictEqual } from 'node:util';
import { type Actor, mayOpenLock } from '@kaptain/contract';
import { type Lock, locksProblem } from '@kaptain/contract/locks';
import type { KapsuleRecord, Nouns } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

/** Refuses locks that mean nothing among these fields, e.g. one that names a field that is taken away. */
export function requireSoundLocks(
  locks: readonly Lock[] | null | undefined,
  fields: readonly { name: string; type: string }[],
): void {
  const problem = locksProblem(locks ?? [], fields);
  if (problem !== undefined) throw new AppError('BAD_INPUT', problem);
}

const isAmong = (lock: Lock, locks: readonly Lock[]) => locks.some((one) => isDeepStrictEqual(one, lock));

/**
 * A condition names groups that have the kapsule: of others the caller may not even know. One that has left it since stays in a lock that
 * stays.
 */
export async function requireGroupsOf(
  { groups }: Pick<Nouns, 'groups'>,
  { id: kapsuleId, locks: before }: Pick<KapsuleRecord, 'id' | 'locks'>,
  locks: readonly Lock[],
): Promise<void> {
  const changed = locks.filter((lock) => !isAmong(lock, before ?? []));
  const named = changed.flatMap(({ name, conditions }) =>
    conditions.flatMap((one) => (one.on === 'group' ? one.groupIds.map((id) => ({ name, id })) : [])),
  );
  if (named.length === 0) return;
  const known = new Set((await groups.findBy('kapsuleIds', kapsuleId)).map(({ id }) => id));
  const missing = named.find(({ id }) => !known.has(id));
  if (missing)
    throw new AppError('BAD_INPUT', `The lock ${missing.name}: one of its groups does not have this.`);
}

/** Only its openers change a lock or take it away; an unchanged one may stay anywhere in the list. */
export function requireOpener(
  kapsule: Pick<KapsuleRecord, 'locks' | 'ownerId'>,
  now: readonly Lock[],
  caller: Actor,
): void {
  for (const lock of kapsule.locks ?? [])
    if (!mayOpenLock(caller, lock, kapsule) && !isAmong(lock, now))
      throw new AppError(
        'FORBIDDEN',
        `Only the owner or an ADMIN may change or take away the lock ${lock.name}.`,
      );
}
