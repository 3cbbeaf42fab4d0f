import type { SessionUser } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { isLocked } from '../passwords/lockout.ts';
import type { Sessions, SignedInBefore } from './sessions.ts';

export interface LoginAnswer {
  accessToken: string;
  user: SessionUser;
}

/** The data of a session that the provider opens. */
interface ByProvider extends SignedInBefore {
  keepGrant: (sessionId: string) => Promise<void>;
}

const sessionUser = (user: UserRecord, now: number): SessionUser => ({
  userId: user.id,
  username: user.username,
  role: user.role,
  loginAttempts: user.loginAttempts,
  isLocked: isLocked(user, now),
  lockTime: user.lockTime,
  lastLoginAttempt: user.lastLoginAttempt,
  isCreate: user.isCreate,
});

export const targetOf = (user: UserRecord) => ({ noun: 'user', id: user.id, name: user.username });
export const actorOf = (user: UserRecord | undefined) =>
  user ? { id: user.id, username: user.username } : { id: null, username: 'unknown' };

/** Stores a change of the user, opens a session and audits the login, in the given unit of work. */
export async function openSession(
  nouns: Nouns,
  { sessions, clock }: { sessions: Sessions; clock: () => number },
  { id }: UserRecord,
  change: Partial<UserRecord>,
  call: Call,
  after?: Record<string, unknown>,
  byProvider?: ByProvider,
): Promise<LoginAnswer> {
  const user = await nouns.users.patch(id, change);
  const { token: accessToken, id: sessionId } = await sessions.create(nouns, user, call, byProvider);
  await byProvider?.keepGrant(sessionId);
  const entry = { action: 'session.login', actor: actorOf(user), target: targetOf(user) } as const;
  await audit(nouns, call, clock(), { ...entry, ...(after && { after }) });
  return { accessToken, user: sessionUser(user, clock()) };
}
