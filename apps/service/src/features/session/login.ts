import type { SessionUser } from '@kaptain/contract';
import { DiskFullError, foldName, type Store, type UserRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import type { RateLimit } from '../../security/rate-limit.ts';
import { audit } from '../../security/audit.ts';
import type { Devices } from '../../security/devices.ts';
import { attemptsOn, isLocked, reserveOn, succeededOn } from '../../security/lockout.ts';
import type { PasswordTries } from '../../security/password-tries.ts';
import type { Passwords } from '../../security/passwords.ts';
import type { Sessions } from '../../security/sessions.ts';

export interface LoginDeps {
  store: Store;
  passwords: Passwords;
  sessions: Sessions;
  devices: Devices;
  addressLimit: RateLimit;
  passwordTries: PasswordTries;
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

/** One message for an unknown user, a wrong password and a locked account, so that none can be told from the others. */
const REFUSED = 'Invalid username or password, or the account is temporarily locked.';
const FULL =
  'You can not be logged in now, because the disk of the service is full. Please tell your administrator.';
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
  const { store, passwords, sessions, devices, addressLimit, passwordTries, clock } = deps;

  const deviceOf = async (username: string, call: Call) => {
    const [user] = await store.users.findBy('nameKey', foldName(username));
    return user && devices.of(call, user.id);
  };

  /**
   * By user: the counters before a right password whose session could not be stored on a full disk, so that it does
   * not count as a failure. Valid while the user record is unchanged.
   */
  const uncounted = new Map<string, { version: number; attempts: Partial<UserRecord> }>();

  function takeBack({ id, version }: UserRecord, before: UserRecord): void {
    const { loginAttempts, lastLoginAttempt, lockTime, lockCount, deviceAttempts = {} } = before;
    const attempts = { loginAttempts, lastLoginAttempt, lockTime, lockCount, deviceAttempts };
    uncounted.set(id, { version, attempts });
  }

  const reserve = (nameKey: string, call: Call) =>
    store.transaction(async (nouns) => {
      const [stored] = await nouns.users.findBy('nameKey', nameKey);
      const owed = uncounted.get(stored?.id ?? '');
      const attempts = owed?.version === stored?.version ? owed?.attempts : undefined;
      const before = stored && { ...stored, ...attempts };
      const device = before && devices.of(call, before.id);
      const change = before && reserveOn(before, device, clock());
      if (!before || !change) return { user: before, before, device, mayTry: false };
      return {
        user: await nouns.users.patch(before.id, { ...attempts, ...change }),
        before,
        device,
        mayTry: true,
      };
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
      // The user was deleted or got another password during the verification.
      if (current?.passwordHash !== verified.passwordHash) return undefined;
      const change = succeededOn(current, device, clock());
      const user = await nouns.users.patch(verified.id, { ...change, passwordHash });
      const accessToken = await sessions.create(nouns, user, call);
      const actor = actorOf(user);
      await audit(nouns, call, clock(), { action: 'session.login', actor, target: targetOf(user) });
      return { accessToken, user: sessionUser(user, clock()) };
    });
  }

  async function attempt({ username, password }: Credentials, call: Call, reserved: () => void) {
    const { user, before, device, mayTry } = await reserve(foldName(username), call);
    reserved();
    const isRight = await passwords.verify(mayTry ? user?.passwordHash : undefined, password);
    const admitting = user && mayTry && isRight ? admit(user, device, password, call) : undefined;
    const admitted = await admitting?.catch((error: unknown) => {
      if (user && before && error instanceof DiskFullError) takeBack(user, before);
      throw error;
    });
    const isLockedNow = () => user !== undefined && isLocked(attemptsOn(user, device), clock());
    if (!admitted) return refuse(user, mayTry && isLockedNow(), call);
    return admitted;
  }

  async function countedLogin(given: Credentials, call: Call) {
    const refund = addressLimit.consume(call.ip, TOO_MANY);
    let isReserved = false;
    const trying = attempt(given, call, () => {
      isReserved = true;
    });
    const admitted = await trying.catch((error: unknown) => {
      if (!(error instanceof DiskFullError)) throw error;
      // An attempt that could not be counted has verified no password.
      if (!isReserved) refund();
      throw new AppError('DISK_FULL', FULL);
    });
    // Only failures count: many users may log in from the one address of an office at the same time.
    refund();
    return admitted;
  }

  return {
    async logIn(given, call) {
      const device = await deviceOf(given.username, call);
      // Admitted before the attempt is counted: a login that is refused because the queue is full does not count.
      return passwordTries.run(given.username, device, () =>
        passwords.admit(() => countedLogin(given, call)),
      );
    },
    async logOut(call) {
      await store.transaction(async (nouns) => {
        if (!(await nouns.sessions.remove(call.caller.sessionId))) return;
        await audit(nouns, call, clock(), { action: 'session.logout' });
      });
    },
  };
}
