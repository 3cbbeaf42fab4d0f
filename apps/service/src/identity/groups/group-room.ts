import { limits } from '@kaptain/contract';
import type { GroupRecord, Nouns } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';

const MOST = limits.groupEntries;

/** What a group adds to the list of groups: itself, and its users and kapsules. */
export const entriesOf = ({ kapsuleIds, userIds }: Pick<GroupRecord, 'kapsuleIds' | 'userIds'>): number =>
  1 + kapsuleIds.length + userIds.length;

/** Refuses groups that grow beyond what a list of them can have; those beyond it already may stay and shrink. */
export async function requireRoomInGroups(nouns: Pick<Nouns, 'groups'>, adding: number): Promise<void> {
  if (adding <= 0) return;
  const present = (await nouns.groups.all()).reduce((sum, group) => sum + entriesOf(group), 0);
  if (present + adding <= MOST) return;
  throw new AppError(
    'LIMIT_REACHED',
    `All groups together may have at most ${MOST.toLocaleString('en')} entries: every group counts, and everything that is chosen in it. Please delete groups or take something out of them.`,
    { details: { limit: 'groupEntries', most: MOST } },
  );
}
