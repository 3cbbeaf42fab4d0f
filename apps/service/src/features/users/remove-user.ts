import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { audit } from '../../security/audit.ts';
import { endSessions, removeApiKeysOf } from '../../security/revoke.ts';
import { requireStillAdmin } from '../../security/still-admin.ts';
import { setGroups } from './membership.ts';
import { auditable, targetOf, type UsersDeps } from './user-record.ts';
import { requireRemovable } from './user-rules.ts';

/** Deletes a user and, in the same unit of work, their sessions, tickets, API keys and memberships. */
export const userRemoval =
  ({ store, clock }: UsersDeps) =>
  (id: string, call: Call<'admin'>): Promise<void> =>
    store.transaction(async (nouns) => {
      await requireStillAdmin(nouns, call);
      const user = await nouns.users.get(id);
      if (!user) throw new AppError('NOT_FOUND', 'There is no such user.');
      await requireRemovable(nouns, user, call);
      const { before: groups } = await setGroups(nouns, call, clock(), user, []);
      await endSessions(nouns, id);
      const apiKeys = await removeApiKeysOf(nouns, id);
      await nouns.users.remove(id);
      await audit(nouns, call, clock(), {
        action: 'user.remove',
        target: targetOf(user),
        before: { username: user.username, ...auditable(user), groups, apiKeys },
      });
    });
