import type { Dependency, Nouns, UserRecord } from '@kaptain/store';
import type { Caller, SessionCaller } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';

/** The documents on which the caller's rights depend, with the versions that were read. */
export function dependenciesOf(caller: Caller & { user: UserRecord }): Dependency[] {
  const { sessionId, apiKeyId } = caller as Partial<SessionCaller>;
  return [
    sessionId === undefined ? { noun: 'apiKeys', id: apiKeyId ?? '' } : { noun: 'sessions', id: sessionId },
    { noun: 'users', id: caller.user.id, version: caller.user.version },
  ];
}

/** Reads the caller again inside the unit of work, so that rights revoked since the request arrived no longer count. */
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
  // An API key is valid as long as its creator is an ADMIN.
  const isKnown = session !== undefined || (apiKey !== undefined && user?.role === 'ADMIN');
  if (!user || !isKnown) throw new AppError('NOT_LOGGED_IN');
  return { ...caller, role: user.role, isCreate: user.isCreate, user };
}
