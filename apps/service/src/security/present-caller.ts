import type { Nouns, UserRecord } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import type { Caller, SessionCaller } from '../http/call.ts';

/** The caller as they are inside the unit of work: rights lost since the request came in are lost here too. */
export async function presentCaller<C extends Caller>(
  nouns: Pick<Nouns, 'sessions' | 'users'>,
  caller: C,
): Promise<C & { user: UserRecord }> {
  const { sessionId } = caller as Partial<SessionCaller>;
  const [session, user] = await Promise.all([
    sessionId === undefined ? undefined : nouns.sessions.get(sessionId),
    nouns.users.get(caller.userId),
  ]);
  // A key is good as long as its creator is an ADMIN.
  const isKnown = sessionId === undefined ? user?.role === 'ADMIN' : session !== undefined;
  if (!user || !isKnown) throw new AppError('NOT_LOGGED_IN');
  return { ...caller, role: user.role, isCreate: user.isCreate, user };
}
