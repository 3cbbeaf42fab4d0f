import type { Access } from '../kit/route.ts';
import { Authority, type Role, type Writers } from '../vocabulary.ts';
import type { Lock } from './locks/lock.ts';

/** The attributes of a user that the rules need. */
export interface Actor {
  userId: string;
  role: Role;
  isCreate: boolean;
  isFirstAdmin: boolean;
}

const rankOf = (authority: Authority): number => Authority.options.indexOf(authority);

/** Whether one of the given authorities is the wanted one or a higher one. */
export const includesAuthority = (given: readonly Authority[], wanted: Authority): boolean =>
  given.some((one) => rankOf(one) >= rankOf(wanted));

/**
 * What was given, by rank, and READ, which every authority forces (Spec 4). DELETE includes WRITE without naming it:
 * callers that know only READ and DELETE are answered as before.
 */
export const withImpliedRead = (given: readonly Authority[]): Authority[] =>
  Authority.options.filter((one) => (one === 'READ' ? given.length > 0 : given.includes(one)));

/** Says whether this actor may make a call with this access; a caller without a login is `undefined`. */
export function mayCall(access: Access, actor: Actor | undefined, apiKeysOn: boolean): boolean {
  switch (access) {
    case 'everyone':
      return true;
    case 'loggedIn':
    case 'loggedInOrKey':
    case 'loggedInOrExtension':
    case 'dataApi':
    case 'extension':
      return actor !== undefined;
    case 'admin':
      return actor?.role === 'ADMIN';
    case 'adminWithApiKeys':
      return actor?.role === 'ADMIN' && apiKeysOn;
    case 'firstAdmin':
      return actor?.isFirstAdmin === true;
  }
}

interface OwnedKapsule {
  id: string;
  ownerId: string;
}
interface GroupGrant {
  authority: readonly Authority[];
  kapsuleIds: readonly string[];
  userIds: readonly string[];
}

const OWN: readonly Authority[] = ['READ', 'DELETE'];

const ownsAll = ({ ownerId }: OwnedKapsule, { role, userId }: Actor): boolean =>
  role === 'ADMIN' || ownerId === userId;

/** ADMIN: READ and DELETE, which includes WRITE, on all kapsules. Owner: the same on their own. Others: the union over their groups. */
export function authorityOn(kapsule: OwnedKapsule, actor: Actor, groups: readonly GroupGrant[]): Authority[] {
  if (ownsAll(kapsule, actor)) return [...OWN];
  const granted = groups
    .filter((group) => group.userIds.includes(actor.userId) && group.kapsuleIds.includes(kapsule.id))
    .flatMap((group) => group.authority);
  return withImpliedRead(granted);
}

/**
 * The same for many kapsules. Each group is read once: the members and kapsules of 20 large groups, read for each of 1,000
 * kapsules, take seconds.
 */
export function authoritiesOf(
  actor: Actor,
  groups: readonly GroupGrant[],
): (kapsule: OwnedKapsule) => Authority[] {
  const granted = new Map<string, Authority[]>();
  for (const { userIds, kapsuleIds, authority } of groups) {
    if (actor.role === 'ADMIN' || !userIds.includes(actor.userId)) continue;
    for (const id of kapsuleIds) granted.set(id, withImpliedRead([...(granted.get(id) ?? []), ...authority]));
  }
  return (kapsule) => (ownsAll(kapsule, actor) ? [...OWN] : (granted.get(kapsule.id) ?? []));
}

/** Spec 6: the delete icon shows for an ADMIN always, otherwise by authority. */
export const mayDelete = (role: Role, authority: readonly Authority[]): boolean =>
  role === 'ADMIN' || includesAuthority(authority, 'DELETE');

interface BoundTable {
  /** Whether the service created the table; undefined in its own store and while unknown. */
  tableMadeByService?: boolean | null | undefined;
}

/** A table that the service did not create has data of other programs: only an ADMIN chooses its fields. */
export const mayReplaceStructure = (
  role: Role,
  { authority, tableMadeByService }: BoundTable & { authority: readonly Authority[] },
): boolean => role === 'ADMIN' || (includesAuthority(authority, 'DELETE') && tableMadeByService !== false);

/** Only an ADMIN drops a table that the service did not make. */
export const mayDropTable = (role: Role, { tableMadeByService }: BoundTable): boolean =>
  role === 'ADMIN' || tableMadeByService !== false;

/** The least authority that saves granules of a kapsule with these writers. */
const leastToWrite = (writers: Writers | null | undefined): Authority =>
  (writers ?? 'DELETE') === 'DELETE' ? 'WRITE' : 'READ';

/** Saving granules: with WRITE always; with READ where the kapsule is open to its readers or to everyone. */
export const mayWriteGranules = (
  role: Role,
  authority: readonly Authority[],
  writers: Writers | null | undefined,
): boolean => role === 'ADMIN' || includesAuthority(authority, leastToWrite(writers));

/** Importing files and confirming reloads: readers of a kapsule that is open to them save single granules only. */
export const mayImportGranules = (role: Role, authority: readonly Authority[]): boolean =>
  role === 'ADMIN' || includesAuthority(authority, 'WRITE');

/** Who may open a kapsule to more writers: not those with DELETE by a group, who would hand on a right of others. */
export const maySetWriters = (
  { role, userId }: Pick<Actor, 'role' | 'userId'>,
  { ownerId }: { ownerId?: string | null | undefined },
): boolean => role === 'ADMIN' || ownerId === userId;

/** Who may change a lock, or take it away; all of them may change the kapsule. */
export const mayOpenLock = (
  actor: Pick<Actor, 'role' | 'userId'>,
  { openers }: Pick<Lock, 'openers'>,
  kapsule: { ownerId?: string | null | undefined },
): boolean => openers === 'DELETE' || maySetWriters(actor, kapsule);

/** A right by a group ends with the deletion: only an ADMIN and the owner see and restore a deleted kapsule. */
export const mayRestore = (
  { role, userId }: Pick<Actor, 'role' | 'userId'>,
  { ownerId }: { ownerId?: string | null | undefined },
): boolean => role === 'ADMIN' || ownerId === userId;

/** Decisions 5: `CreatedBy` and `CreatedAt` of a QVD file are believed from an ADMIN; otherwise the author is the caller. */
export const mayNameAuthors = (role: Role): boolean => role === 'ADMIN';

/** Spec 6: isCreate controls the right to create a kapsule; it is forced on for admins. */
export const mayCreateKapsule = (actor: Pick<Actor, 'role' | 'isCreate'>): boolean =>
  actor.role === 'ADMIN' || actor.isCreate;
