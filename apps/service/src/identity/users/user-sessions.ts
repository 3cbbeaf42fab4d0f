import type { UserSession } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { liveSessions } from '../sessions/live-sessions.ts';
import { requireStillAdmin } from '../sessions/require-still-admin.ts';
import { endSession, endSessions } from '../sessions/revoke.ts';
import { targetOf, type UsersDeps } from './user-record.ts';

async function found(nouns: Pick<Nouns, 'users'>, id: string): Promise<UserRecord> {
  const user = await nouns.users.get(id);
  if (!user) throw new AppError('NOT_FOUND', 'There is no such user.');
  return user;
}

/** The sessions of other users, as an ADMIN sees and ends them. */
export const userSessions = ({ store, clock }: Pick<UsersDeps, 'store' | 'clock'>) => ({
  async list(id: string, { caller }: Call<'admin'>): Promise<UserSession[]> {
    await found(store, id);
    return liveSessions(store, id, clock(), caller.sessionId);
  },

  endAll: (id: string, call: Call<'admin'>): Promise<number> =>
    store.transaction(async (nouns) => {
      await requireStillAdmin(nouns, call);
      const user = await found(nouns, id);
      const isSelf = id === call.caller.userId;
      const ended = await endSessions(nouns, id, isSelf ? call.caller.sessionId : undefined);
      const entry = { action: 'user.endSessions', target: targetOf(user), after: { ended } } as const;
      if (ended > 0) await audit(nouns, call, clock(), entry);
      return ended;
    }),

  endOne: (id: string, sessionId: string, call: Call<'admin'>): Promise<void> =>
    store.transaction(async (nouns) => {
      await requireStillAdmin(nouns, call);
      const user = await found(nouns, id);
      if (!(await endSession(nouns, id, sessionId)))
        throw new AppError('NOT_FOUND', 'There is no such session.');
      await audit(nouns, call, clock(), {
        action: 'user.endSessions',
        target: targetOf(user),
        after: { ended: 1 },
      });
    }),
});
