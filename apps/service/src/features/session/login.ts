import type { SessionUser } from '@kaptain/contract';
import { foldName, type Store, type UserRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import type { AddressLimit } from '../../security/address-limits.ts';
import { audit } from '../../security/audit.ts';
import type { Devices } from '../../security/devices.ts';
import { attemptsOn, isLocked, reserveOn, succeededOn } from '../../security/lockout.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { Sessions } from '../../security/sessions.ts';
import { Lanes } from '../../security/slots.ts';

export interface LoginDeps {
  store: Store;
  passwords: Passwords;
  sessions: Sessions;
  devices: Devices;
  addressLimit: AddressLimit;
  clock: () => number;
}

export interface Login {
  logIn(given: Credentials, call: Call): Promise<{ accessToken: string; user: SessionUser }>;
  logOut(call: Call<'loggedIn'>): Promise<void>;
}

interface Credentials {
  username: string;
  password: string;
}

/** One sentence for unknown, wrong and locked: which of them it was is nobody's business. */
const REFUSED = 'Invalid username or password, or the account is temporarily locked.';
const TOO_MANY = 'Too many failed logins from this address. Please try again later.';

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

const targetOf = (user: UserRecord) => ({ noun: 'user', id: user.id, name: user.username });
const actorOf = (user: UserRecord | undefined) =>
  user ? { id: user.id, username: user.username } : { id: null, username: 'unknown' };

export function createLogin(deps: LoginDeps): Login {
  const { store, passwords, sessions, devices, addressLimit, clock } = deps;
  // Attempts on one name go one after another: parallel right ones all succeed, parallel wrong ones meet the lock.
  const lanes = new Lanes();

  const reserve = (nameKey: string, call: Call) =>
    store.transaction(async (nouns) => {
      const [user] = await nouns.users.findBy('nameKey', nameKey);
      const device = user && devices.of(call, user.id);
      const change = user && reserveOn(user, device, clock());
      if (!user || !change) return { user, device, mayTry: false };
      return { user: await nouns.users.patch(user.id, change), device, mayTry: true };
    });

  async function refuse(user: UserRecord | undefined, hasJustLocked: boolean, call: Call): Promise<never> {
    await store.transaction(async (nouns) => {
      const entry = {
        actor: actorOf(user),
        result: 'refused',
        ...(user && { target: targetOf(user) }),
      } as const;
      await audit(nouns, call, clock(), { action: 'session.loginRefused', ...entry });
      if (hasJustLocked)
        await audit(nouns, call, clock(), { action: 'session.locked', ...entry, result: 'ok' });
    });
    throw new AppError('LOGIN_REFUSED', REFUSED);
  }

  async function admit(verified: UserRecord, device: string | undefined, password: string, call: Call) {
    const isOutdated = passwords.isOutdated(verified.passwordHash);
    const passwordHash = isOutdated ? await passwords.hash(password) : verified.passwordHash;
    return store.transaction(async (nouns) => {
      const current = await nouns.users.get(verified.id);
      // Deleted or given another password while this one was being verified.
      if (current?.passwordHash !== verified.passwordHash) return undefined;
      const change = succeededOn(current, device, clock());
      const user = await nouns.users.patch(verified.id, { ...change, passwordHash });
      const accessToken = await sessions.create(nouns, user, call);
      const actor = actorOf(user);
      await audit(nouns, call, clock(), { action: 'session.login', actor, target: targetOf(user) });
      return { accessToken, user: sessionUser(user, clock()) };
    });
  }

  async function attempt({ username, password }: Credentials, call: Call) {
    const { user, device, mayTry } = await reserve(foldName(username), call);
    const isRight = await passwords.verify(mayTry ? user?.passwordHash : undefined, password);
    const admitted = user && mayTry && isRight ? await admit(user, device, password, call) : undefined;
    const isLockedNow = () => user !== undefined && isLocked(attemptsOn(user, device), clock());
    if (!admitted) return refuse(user, mayTry && isLockedNow(), call);
    return admitted;
  }

  return {
    async logIn(given, call) {
      const giveBack = addressLimit.take(call.ip, TOO_MANY);
      const admitted = await lanes.run(foldName(given.username), () => attempt(given, call));
      // Only failures count: an office behind one address may log in all at once.
      giveBack();
      return admitted;
    },
    async logOut(call) {
      await store.transaction(async (nouns) => {
        if (!(await nouns.sessions.remove(call.caller.sessionId))) return;
        await audit(nouns, call, clock(), { action: 'session.logout' });
      });
    },
  };
}
