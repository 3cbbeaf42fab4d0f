import { type Actor, type Authority, authorityOn } from '@kaptain/contract';
import type { GroupRecord, KapsuleRecord, Nouns, Store, VisibleKapsules } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';

/** The store or a unit of work; what a unit reads still holds when it commits. */
type Readable = Pick<Nouns, 'kapsules' | 'groups'> & Partial<Pick<Store, 'visibleTo'>>;

export interface SeenKapsule {
  kapsule: KapsuleRecord;
  authority: Authority[];
  /** Those that the authority comes from. */
  groups: GroupRecord[];
}

/** The groups that give this caller rights; none for an ADMIN, who has all rights. */
export const groupsOf = async (
  nouns: Pick<Nouns, 'groups'>,
  { role, userId }: Actor,
): Promise<GroupRecord[]> => (role === 'ADMIN' ? [] : nouns.groups.findBy('userIds', userId));

// Not 403, because a caller who may not read a kapsule must not learn that it exists. The message has no term that
// another variant of the console renames.
export const noSuchKapsule = () => new AppError('NOT_FOUND', 'This does not exist, or you may not see it.');

/** The kapsule and the groups that decide the caller's authority, in one query of the store. */
async function look(nouns: Readable, id: string, caller: Actor): Promise<VisibleKapsules> {
  if (nouns.visibleTo && caller.role !== 'ADMIN') return nouns.visibleTo(caller.userId, id);
  const [kapsule, groups] = await Promise.all([nouns.kapsules.get(id), groupsOf(nouns, caller)]);
  return { kapsules: kapsule ? [kapsule] : [], groups };
}

/** A kapsule that the caller may READ. */
export async function readable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const {
    kapsules: [kapsule],
    groups,
  } = await look(nouns, id, caller);
  if (!kapsule) throw noSuchKapsule();
  const authority = authorityOn(kapsule, caller, groups);
  if (!authority.includes('READ')) throw noSuchKapsule();
  return { kapsule, authority, groups };
}

/** A kapsule that the caller may change: as owner, as ADMIN, or with DELETE by a group. */
export async function changeable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const seen = await readable(nouns, id, caller);
  if (!seen.authority.includes('DELETE')) throw new AppError('FORBIDDEN');
  return seen;
}

export const targetOf = ({ id, name }: KapsuleRecord) => ({ noun: 'kapsule', id, name });
