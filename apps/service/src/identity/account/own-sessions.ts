import type { UserSession } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { liveSessions } from '../sessions/live-sessions.ts';
import { endSession, endSessions } from '../sessions/revoke.ts';

interface Deps {
  store: Store;
  clock: () => number;
}

const targetOf = ({ caller }: Call<'loggedIn'>) => ({
  noun: 'user',
  id: caller.userId,
  name: caller.username,
});

export const ownSessions = ({ store, clock }: Deps) => ({
  list: ({ caller }: Call<'loggedIn'>): Promise<UserSession[]> =>
    liveSessions(store, caller.userId, clock(), caller.sessionId),

  endOne: (sessionId: string, call: Call<'loggedIn'>): Promise<void> =>
    store.transaction(async (nouns) => {
      if (!(await endSession(nouns, call.caller.userId, sessionId)))
        throw new AppError('NOT_FOUND', 'There is no such session.');
      await audit(nouns, call, clock(), { action: 'session.end', target: targetOf(call) });
    }),

  endOthers: (call: Call<'loggedIn'>): Promise<number> =>
    store.transaction(async (nouns) => {
      const { userId, sessionId } = call.caller;
      const ended = await endSessions(nouns, userId, sessionId);
      if (ended > 0)
        await audit(nouns, call, clock(), {
          action: 'session.endOthers',
          target: targetOf(call),
          after: { ended },
        });
      return ended;
    }),
});
