import { foldName, type Nouns, type Store, type UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { ownCommand } from '../../base/config/own-command.ts';
import { whyGuessable } from '../../identity/passwords/guessable-passwords.ts';
import { clearedAttempts, isLocked } from '../../identity/passwords/lockout.ts';
import { hashPassword } from '../../identity/passwords/passwords.ts';
import { hasSecondFactor, noFactor } from '../../identity/second-factor/second-factor.ts';
import { endSessions } from '../../identity/sessions/revoke.ts';

export interface Result {
  isDone: boolean;
  /** The message is the requested result, even if it reports errors: it goes to standard output. */
  isReport?: boolean;
  message: string;
}

const done = (message: string): Result => ({ isDone: true, message });
const failed = (message: string): Result => ({ isDone: false, message });
const unknown = (name: string) => failed(`There is no user "${name}".`);

/** The caller in audit entries of the command line: access to the host needs no account. */
export const host = { requestId: 'host', ip: '', userAgent: '', hostname: '', caller: undefined };
export const actor = { id: null, username: 'host' };
const targetOf = ({ id, username }: UserRecord) => ({ noun: 'user', id, name: username });

async function find(nouns: Pick<Nouns, 'users'>, name: string): Promise<UserRecord | undefined> {
  return (await nouns.users.findBy('nameKey', foldName(name)))[0];
}

export const unlock = (store: Store, name: string): Promise<Result> =>
  store.transaction(async (nouns) => {
    const user = await find(nouns, name);
    if (!user) return unknown(name);
    await nouns.users.patch(user.id, clearedAttempts);
    const before = { lockTime: user.lockTime, loginAttempts: user.loginAttempts };
    const after = { lockTime: null, loginAttempts: 0 };
    await audit(nouns, host, Date.now(), {
      action: 'user.unlock',
      actor,
      target: targetOf(user),
      before,
      after,
    });
    return isLocked(user, Date.now())
      ? done(`${user.username} is unlocked and can log in again.`)
      : done(`${user.username} was not locked; failed attempts are forgotten.`);
  });

/** Removes the second factor, for a user who has lost it and the recovery codes; the password stays. */
export const resetSecondFactor = (store: Store, name: string): Promise<Result> =>
  store.transaction(async (nouns) => {
    const user = await find(nouns, name);
    if (!user) return unknown(name);
    if (!hasSecondFactor(user)) return done(`${user.username} has no second factor; nothing was changed.`);
    await nouns.users.patch(user.id, { secondFactor: noFactor, updatedAt: new Date().toISOString() });
    const after = { endedSessions: await endSessions(nouns, user.id) };
    const entry = { action: 'user.secondFactorReset', actor, target: targetOf(user), after } as const;
    await audit(nouns, host, Date.now(), entry);
    return done(`${user.username} logs in with the password alone; open sessions have ended.`);
  });

/** Sets a new password and ends all sessions of the user. It does not unlock, like a reset by an ADMIN. */
export async function resetPassword(
  store: Store,
  name: string,
  askPassword: () => Promise<{ password: string } | { problem: string }>,
): Promise<Result> {
  const found = await find(store, name);
  if (!found) return unknown(name);
  const answer = await askPassword();
  if ('problem' in answer) return failed(answer.problem);
  const problem = whyGuessable(answer.password, found.username);
  if (problem !== undefined) return failed(problem);
  const passwordHash = await hashPassword(answer.password);
  return store.transaction(async (nouns) => {
    const user = await nouns.users.get(found.id);
    if (!user) return unknown(name);
    await nouns.users.patch(user.id, { passwordHash, updatedAt: new Date().toISOString() });
    const endedSessions = await endSessions(nouns, user.id);
    const after = { password: 'changed', endedSessions };
    await audit(nouns, host, Date.now(), { action: 'user.update', actor, target: targetOf(user), after });
    const lock = isLocked(user, Date.now())
      ? ` The account is still locked: ${ownCommand} unlock ${user.username}`
      : '';
    return done(`${user.username} has a new password; open sessions have ended.${lock}`);
  });
}
