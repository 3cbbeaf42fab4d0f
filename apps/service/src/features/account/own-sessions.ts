import type { OwnSession } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { Call } from '../../http/call.ts';
import { audit } from '../../security/audit.ts';
import { endSessions } from '../../security/revoke.ts';
import { hasEnded } from '../../security/sessions.ts';

interface Deps {
  store: Store;
  clock: () => number;
}

export const ownSessions = ({ store, clock }: Deps) => ({
  async list({ caller }: Call<'loggedIn'>): Promise<OwnSession[]> {
    const sessions = await store.sessions.findBy('userId', caller.userId);
    return sessions
      .filter((session) => !hasEnded(session, clock()))
      .toReversed()
      .map(({ id, createdAt, lastSeenAt, expiresAt, ip, userAgent }) => ({
        _id: id,
        createdAt,
        lastSeenAt,
        expiresAt,
        ip,
        userAgent,
        current: id === caller.sessionId,
      }));
  },

  endOthers: (call: Call<'loggedIn'>): Promise<number> =>
    store.transaction(async (nouns) => {
      const { userId, username, sessionId } = call.caller;
      const ended = await endSessions(nouns, userId, sessionId);
      const target = { noun: 'user', id: userId, name: username };
      if (ended > 0)
        await audit(nouns, call, clock(), { action: 'session.endOthers', target, after: { ended } });
      return ended;
    }),
});
