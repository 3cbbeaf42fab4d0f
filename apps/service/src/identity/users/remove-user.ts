import type { KapsuleRecord, Nouns } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { setGroups } from '../groups/set-groups.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { endSessions, removeApiKeysOf } from '../sessions/revoke.ts';
import { auditable, targetOf, type UsersDeps } from './user-record.ts';
import { requireRemovable } from './user-rules.ts';

export interface RemovalDeps extends UsersDeps {
  /** Gives kapsules to another owner, inside the unit of work of the caller. */
  giveKapsules: (
    nouns: Nouns,
    call: Call<'admin'>,
    now: number,
    kapsules: readonly KapsuleRecord[],
    userId: string,
  ) => Promise<void>;
}

/**
 * Deletes a user and, in the same unit of work, their sessions, tickets, API keys, views and memberships. Their kapsules
 * go to the new owner; without one they stay, and only ADMINs and their groups see them.
 */
export const removeUser =
  ({ store, clock, giveKapsules }: RemovalDeps) =>
  (id: string, newOwner: string | undefined, call: Call<'admin'>): Promise<void> =>
    store.transaction(async (nouns) => {
      await requireStillAdmin(nouns, call);
      const user = await nouns.users.get(id);
      if (!user) throw new AppError('NOT_FOUND', 'There is no such user.');
      await requireRemovable(nouns, user, call);
      const { before: groups } = await setGroups(nouns, call, clock(), user, []);
      if (newOwner === id) throw new AppError('CONFLICT', "The deleted user can't be the new owner.");
      const kapsules = await nouns.kapsules.findBy('ownerId', id);
      const names = kapsules.map(({ name }) => name);
      if (newOwner !== undefined) await giveKapsules(nouns, call, clock(), kapsules, newOwner);
      await endSessions(nouns, id);
      const apiKeys = await removeApiKeysOf(nouns, id);
      const views = await nouns.views.findBy('userId', id);
      await nouns.views.removeMany(views.map((view) => view.id));
      await nouns.users.remove(id);
      await audit(nouns, call, clock(), {
        action: 'user.remove',
        target: targetOf(user),
        before: { username: user.username, ...auditable(user), groups, apiKeys, kapsules: names },
      });
    });
