import type { Store, UserRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import type { RateLimit } from '../../security/rate-limit.ts';
import { audit } from '../../security/audit.ts';
import type { Devices } from '../../security/devices.ts';
import { refuseGuessable } from '../../security/guessable-passwords.ts';
import { attemptsOn, isLocked, reserveOn, succeededOn } from '../../security/lockout.ts';
import type { PasswordTries } from '../../security/password-tries.ts';
import type { Passwords } from '../../security/passwords.ts';
import { endSessions } from '../../security/revoke.ts';

export interface ChangePasswordDeps {
  store: Store;
  passwords: Passwords;
  devices: Devices;
  addressLimit: RateLimit;
  passwordTries: PasswordTries;
  clock: () => number;
}

interface Given {
  currentPassword: string;
  newPassword: string;
}

const WRONG = 'The current password is not right, or the account is temporarily locked.';
const TOO_MANY = 'Too many wrong passwords from this address. Please try again later.';
const targetOf = ({ id, username }: UserRecord) => ({ noun: 'user', id, name: username });

/** Verifies the current password under the same counter, lock and limits as a login. */
export function passwordChange(deps: ChangePasswordDeps) {
  const { store, passwords, devices, addressLimit, passwordTries, clock } = deps;

  const reserve = (userId: string, device: string | undefined) =>
    store.transaction(async (nouns) => {
      const user = await nouns.users.get(userId);
      if (!user) throw new AppError('NOT_LOGGED_IN');
      const change = reserveOn(user, device, clock());
      return change
        ? { user: await nouns.users.patch(userId, change), mayTry: true }
        : { user, mayTry: false };
    });

  async function refuse(user: UserRecord, hasJustLocked: boolean, call: Call<'loggedIn'>): Promise<never> {
    const target = targetOf(user);
    await store.transaction(async (nouns) => {
      await audit(nouns, call, clock(), { action: 'account.password', target, result: 'refused' });
      if (hasJustLocked) await audit(nouns, call, clock(), { action: 'session.locked', target });
    });
    throw new AppError('WRONG_PASSWORD', WRONG);
  }

  const accept = (
    verified: UserRecord,
    device: string | undefined,
    passwordHash: string,
    call: Call<'loggedIn'>,
  ) =>
    store.transaction(async (nouns) => {
      const { sessionId } = call.caller;
      const [current, session] = [await nouns.users.get(verified.id), await nouns.sessions.get(sessionId)];
      // The session ended, or the user was deleted or got another password, during the verification.
      if (!session || current?.passwordHash !== verified.passwordHash) throw new AppError('NOT_LOGGED_IN');
      const updatedAt = new Date(clock()).toISOString();
      const change = succeededOn(current, device, clock());
      await nouns.users.patch(verified.id, { ...change, passwordHash, updatedAt });
      const ended = await endSessions(nouns, verified.id, sessionId);
      const after = { password: 'changed', endedSessions: ended };
      await audit(nouns, call, clock(), { action: 'account.password', target: targetOf(verified), after });
    });

  async function attempt(given: Given, device: string | undefined, call: Call<'loggedIn'>): Promise<void> {
    const refund = addressLimit.consume(call.ip, TOO_MANY);
    const { user, mayTry } = await reserve(call.caller.userId, device);
    const isRight = await passwords.verify(mayTry ? user.passwordHash : undefined, given.currentPassword);
    const isLockedNow = () => isLocked(attemptsOn(user, device), clock());
    if (!mayTry || !isRight) return refuse(user, mayTry && isLockedNow(), call);
    await accept(user, device, await passwords.hash(given.newPassword), call);
    refund();
  }

  return async (given: Given, call: Call<'loggedIn'>): Promise<void> => {
    const { userId, username } = call.caller;
    refuseGuessable(given.newPassword, username);
    const device = devices.of(call, userId);
    await passwordTries.run(username, device, () => passwords.admit(() => attempt(given, device, call)));
  };
}
