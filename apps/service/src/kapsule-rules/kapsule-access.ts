import { type Actor, type Authority, authorityOn } from '@kaptain/contract';
import type { GroupRecord, KapsuleRecord, Nouns } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';

type Readable = Pick<Nouns, 'kapsules' | 'groups'>;

export interface SeenKapsule {
  kapsule: KapsuleRecord;
  authority: Authority[];
}

/** The groups that can grant this caller anything. */
export const groupsOf = async (
  nouns: Pick<Nouns, 'groups'>,
  { role, userId }: Actor,
): Promise<GroupRecord[]> => (role === 'ADMIN' ? [] : nouns.groups.findBy('userIds', userId));

// Not 403: whoever may not read it shall not learn that it exists.
export const noSuchKapsule = () => new AppError('NOT_FOUND', 'There is no such kapsule.');

/** A kapsule the caller may READ. */
export async function readable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const [kapsule, groups] = await Promise.all([nouns.kapsules.get(id), groupsOf(nouns, caller)]);
  if (!kapsule) throw noSuchKapsule();
  const authority = authorityOn(kapsule, caller, groups);
  if (!authority.includes('READ')) throw noSuchKapsule();
  return { kapsule, authority };
}

/** A kapsule the caller may change: owner, ADMIN, or DELETE by a group. */
export async function changeable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const seen = await readable(nouns, id, caller);
  if (!seen.authority.includes('DELETE')) throw new AppError('FORBIDDEN');
  return seen;
}

export const targetOf = ({ id, name }: KapsuleRecord) => ({ noun: 'kapsule', id, name });
