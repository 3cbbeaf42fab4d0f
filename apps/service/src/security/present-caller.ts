import type { Dependency, Nouns, UserRecord } from '@kaptain/store';
import { AppError } from '../http/app-error.ts';
import type { Caller, SessionCaller } from '../http/call.ts';

/** What decides whether the caller may still do what they could when the request came in. */
export function dependenciesOf(caller: Caller & { user: UserRecord }): Dependency[] {
  const { sessionId, apiKeyId } = caller as Partial<SessionCaller>;
  return [
    sessionId === undefined ? { noun: 'apiKeys', id: apiKeyId ?? '' } : { noun: 'sessions', id: sessionId },
    { noun: 'users', id: caller.user.id, version: caller.user.version },
  ];
}

/** The caller as they are inside the unit of work: rights lost since the request came in are lost here too. */
export async function presentCaller<C extends Caller>(
  nouns: Pick<Nouns, 'apiKeys' | 'sessions' | 'users'>,
  caller: C,
): Promise<C & { user: UserRecord }> {
  const { sessionId, apiKeyId } = caller as Partial<SessionCaller>;
  const [session, apiKey, user] = await Promise.all([
    sessionId === undefined ? undefined : nouns.sessions.get(sessionId),
    apiKeyId === undefined ? undefined : nouns.apiKeys.get(apiKeyId),
    nouns.users.get(caller.userId),
  ]);
  // A key is good as long as its creator is an ADMIN.
  const isKnown = session !== undefined || (apiKey !== undefined && user?.role === 'ADMIN');
  if (!user || !isKnown) throw new AppError('NOT_LOGGED_IN');
  return { ...caller, role: user.role, isCreate: user.isCreate, user };
}
