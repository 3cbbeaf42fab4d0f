import {
  type Actor,
  type Authority,
  authorityOn,
  includesAuthority,
  mayDelete,
  mayImportGranules,
  mayWriteGranules,
} from '@kaptain/contract';
import type { GroupRecord, KapsuleRecord, Nouns, Store, VisibleKapsules } from '@kaptain/store';
import type { Caller, ExtensionCaller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { requireOfKey } from '../granules/key-limits.ts';

/** The store or a unit of work; what a unit reads still holds when it commits. */
export type Readable = Pick<Nouns, 'kapsules' | 'groups'> & Partial<Pick<Store, 'visibleTo'>>;

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

/** A kapsule that the caller may READ by a role or a right of their own; undefined otherwise. */
export async function seen(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule | undefined> {
  const {
    kapsules: [kapsule],
    groups,
  } = await look(nouns, id, caller);
  if (!kapsule) return undefined;
  const authority = authorityOn(kapsule, caller, groups);
  return includesAuthority(authority, 'READ') ? { kapsule, authority, groups } : undefined;
}

/** A kapsule that the caller may READ. */
export async function readable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const found = await seen(nouns, id, caller);
  if (!found) throw noSuchKapsule();
  return found;
}

/** A kapsule that this person may use on a sheet: one that they may READ, or one that is open to the whole platform. */
export async function readableOnSheet(
  nouns: Readable,
  id: string,
  caller: Actor,
  platformUser: string,
): Promise<SeenKapsule> {
  const found = await seen(nouns, id, caller);
  if (found) return found;
  const kapsule = platformUser === '' ? undefined : await nouns.kapsules.get(id);
  if (kapsule?.writers !== 'EVERYONE') throw noSuchKapsule();
  return { kapsule, authority: ['READ'], groups: [] };
}

/** A kapsule that the caller may READ, or use on the sheet from which they call. */
export const visible = (nouns: Readable, id: string, caller: Caller): Promise<SeenKapsule> =>
  readableOnSheet(nouns, id, caller, (caller as Partial<ExtensionCaller>).extension?.platformUser ?? '');

/** A kapsule whose granules the caller may save. */
export async function writable(nouns: Readable, id: string, caller: Caller): Promise<SeenKapsule> {
  requireOfKey(caller, 'WRITE');
  const found = await visible(nouns, id, caller);
  if (!mayWriteGranules(caller.role, found.authority, found.kapsule.writers)) throw new AppError('FORBIDDEN');
  return found;
}

/** A kapsule into which the caller may import, and whose reloads they may confirm. */
export async function importable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const found = await readable(nouns, id, caller);
  if (!mayImportGranules(caller.role, found.authority)) throw new AppError('FORBIDDEN');
  return found;
}

/** A kapsule that the caller may change: as owner, as ADMIN, or with DELETE by a group. */
export async function changeable(nouns: Readable, id: string, caller: Actor): Promise<SeenKapsule> {
  const found = await readable(nouns, id, caller);
  if (!mayDelete(caller.role, found.authority)) throw new AppError('FORBIDDEN');
  return found;
}

export const targetOf = ({ id, name }: KapsuleRecord) => ({ noun: 'kapsule', id, name });
