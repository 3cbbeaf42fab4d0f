import type { Actor } from '@kaptain/contract';
import type { Nouns } from '@kaptain/store';
import type { CurrentSettings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';

type KapsuleLimits = CurrentSettings['kapsuleLimits'];

const DELETED_COUNT = 'deleted ones that can be restored included';

/**
 * Deleted kapsules count until they are purged: otherwise creating and deleting would have no bound, and a restore could
 * exceed the limit. Inside a unit of work the sizes still hold at its commit, on every instance.
 */
async function sizeOf(nouns: Pick<Nouns, 'kapsules' | 'deletedKapsules'>, ownerId: string) {
  const present = await nouns.kapsules.sizeBy('ownerId', ownerId);
  const deleted = await nouns.deletedKapsules.sizeBy('ownerId', ownerId);
  return { count: present.count + deleted.count, bytes: present.bytes + deleted.bytes };
}

function requireBytes(bytes: number, { definitionBytes }: KapsuleLimits): void {
  if (bytes <= definitionBytes) return;
  const most = definitionBytes / (1024 * 1024);
  throw new AppError(
    'LIMIT_REACHED',
    `All fields and names of what one creator has may take ${most} MiB, ${DELETED_COUNT}. Please use fewer or shorter ones, or ask an ADMIN to raise the limit in the settings.`,
    { details: { limit: 'definitionMiBPerCreator', most } },
  );
}

/** Refuses to exceed the limits of the settings by `adding`. ADMINs, who set the limits, have none. */
export async function requireRoom(
  nouns: Pick<Nouns, 'kapsules' | 'deletedKapsules'>,
  allowed: KapsuleLimits,
  { role, userId }: Actor,
  adding: { kapsules: number; bytes: number },
): Promise<void> {
  if (role === 'ADMIN') return;
  const { count, bytes } = await sizeOf(nouns, userId);
  if (count + adding.kapsules > allowed.kapsules)
    throw new AppError(
      'LIMIT_REACHED',
      `One creator may have at most ${allowed.kapsules}, ${DELETED_COUNT}. Please delete some for good, or ask an ADMIN to raise the limit in the settings.`,
      { details: { limit: 'kapsulesPerCreator', most: allowed.kapsules } },
    );
  requireBytes(bytes + adding.bytes, allowed);
}

/** The same for a kapsule that grows; it counts for its owner, also when another user changes it. */
export async function requireRoomToGrow(
  nouns: Pick<Nouns, 'kapsules' | 'deletedKapsules' | 'users'>,
  allowed: KapsuleLimits,
  { role }: Actor,
  ownerId: string,
  adding = 0,
): Promise<void> {
  if (role === 'ADMIN' || (await nouns.users.get(ownerId))?.role === 'ADMIN') return;
  requireBytes((await sizeOf(nouns, ownerId)).bytes + adding, allowed);
}
