import type { LoginChallenge } from '@kaptain/contract';
import { DiskFullError, foldName, type Nouns, type Store, type UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { RateLimit } from '../../http/limits/rate-limit.ts';
import type { AttemptQueue } from '../passwords/attempt-queue.ts';
import type { Devices } from '../passwords/devices.ts';
import { attemptsOn, countersOf, isLocked, reserveOn, succeededOn, uncounted } from '../passwords/lockout.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { hasSecondFactor, proofMethods } from '../second-factor/second-factor.ts';
import type { Challenges } from './challenges.ts';
import { actorOf, type LoginAnswer, openSession, targetOf } from './open-session.ts';
import { endSession } from './revoke.ts';
import type { Sessions } from './sessions.ts';

interface LoginDeps {
  store: Store;
  settings: Settings;
  passwords: Passwords;
  sessions: Sessions;
  challenges: Challenges;
  devices: Devices;
  addressLimit: RateLimit;
  attemptQueue: AttemptQueue;
  clock: () => number;
}

export interface Login {
  /** Throws SECOND_FACTOR_REQUIRED after a right password of an account with a second factor. */
  logIn(credentials: Credentials, call: Call): Promise<LoginAnswer>;
  logOut(call: Call<'loggedIn'>): Promise<void>;
}

interface Credentials {
  username: string;
  password: string;
}

/** An attempt that is counted: the user before and after. */
interface Reserved {
  user: UserRecord;
  before: UserRecord;
  device: string | undefined;
}

/** One message for an unknown user, a wrong password and a locked account, so that none can be told from the others. */
const REFUSED = 'Invalid username or password, or the account is temporarily locked.';
const FULL =
  'You can not be logged in now, because the disk of the service is full. Please tell your administrator.';
const NEXT =
  'Please show your second factor: a passkey, the code of your authenticator app, or a recovery code.';
const TOO_MANY = 'Too many failed logins from this address. Please try again later.';

export function createLogin(deps: LoginDeps): Login {
  const { store, settings, passwords, challenges, devices, addressLimit, attemptQueue, clock } = deps;

  const deviceOf = async (username: string, call: Call) => {
    const [user] = await store.users.findBy('nameKey', foldName(username));
    return user && devices.of(call, user.id);
  };

  /**
   * By user: the counters before a right password whose session could not be stored on a full disk, so that it does
   * not count as a failure. Valid while the user record is unchanged.
   */
  const owedCounters = new Map<string, { version: number; attempts: Partial<UserRecord> }>();

  function takeBack({ id, version }: UserRecord, before: UserRecord): void {
    owedCounters.set(id, { version, attempts: countersOf(before) });
  }

  const reserve = (nameKey: string, call: Call) =>
    store.transaction(async (nouns) => {
      const [stored] = await nouns.users.findBy('nameKey', nameKey);
      const owed = owedCounters.get(stored?.id ?? '');
      const attempts = owed?.version === stored?.version ? owed?.attempts : undefined;
      const before = stored && { ...stored, ...attempts };
      const device = before && devices.of(call, before.id);
      // The settings may leave passwords to the first admin; others are refused like a wrong password.
      const isLeft = before && (before.isFirstAdmin || !settings.current().passwordOnlyForAdmin);
      const change = isLeft ? reserveOn(before, device, clock()) : undefined;
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

  /**
   * A right password of an account with a second factor. It counts as no attempt, and it clears no counter either:
   * otherwise a known password would give any number of codes to guess.
   */
  async function challenge(
    nouns: Nouns,
    user: UserRecord,
    before: UserRecord,
    passwordHash: string,
  ): Promise<LoginChallenge> {
    await nouns.users.patch(user.id, { ...uncounted(before, user), passwordHash });
    return { challenge: await challenges.create(nouns, 'login', user.id), methods: proofMethods(user) };
  }

  async function admit(tried: Reserved, password: string, call: Call) {
    const { user: verified, before, device } = tried;
    const isOutdated = passwords.isOutdated(verified.passwordHash);
    const passwordHash = isOutdated ? await passwords.hash(password) : verified.passwordHash;
    return store.transaction(async (nouns) => {
      const current = await nouns.users.get(verified.id);
      // The user was deleted or got another password during the verification.
      if (current?.passwordHash !== verified.passwordHash) return undefined;
      if (hasSecondFactor(current)) return challenge(nouns, current, before, passwordHash);
      const change = succeededOn(current, device, clock());
      return openSession(nouns, deps, current, { ...change, passwordHash }, call);
    });
  }

  async function attempt({ username, password }: Credentials, call: Call, reserved: () => void) {
    const { user, before, device, mayTry } = await reserve(foldName(username), call);
    reserved();
    // An empty hash belongs to a user of the provider, who has no password.
    const hash = mayTry ? user?.passwordHash || undefined : undefined;
    const isRight = await passwords.verify(hash, password);
    const admitting =
      user && before && mayTry && isRight ? admit({ user, before, device }, password, call) : undefined;
    const admitted = await admitting?.catch((error: unknown) => {
      if (user && before && error instanceof DiskFullError) takeBack(user, before);
      throw error;
    });
    const isLockedNow = () => user !== undefined && isLocked(attemptsOn(user, device), clock());
    if (!admitted) return refuse(user, mayTry && isLockedNow(), call);
    return admitted;
  }

  async function countedLogin(credentials: Credentials, call: Call) {
    const refund = addressLimit.consume(call.ip, TOO_MANY);
    let isReserved = false;
    const trying = attempt(credentials, call, () => {
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
    if ('challenge' in admitted) throw new AppError('SECOND_FACTOR_REQUIRED', NEXT, { details: admitted });
    return admitted;
  }

  return {
    async logIn(credentials, call) {
      const device = await deviceOf(credentials.username, call);
      // Admitted before the attempt is counted: a login that is refused because the queue is full does not count.
      return attemptQueue.run(credentials.username, device, () =>
        passwords.admit(() => countedLogin(credentials, call)),
      );
    },
    async logOut(call) {
      await store.transaction(async (nouns) => {
        if (!(await endSession(nouns, call.caller.userId, call.caller.sessionId))) return;
        await audit(nouns, call, clock(), { action: 'session.logout' });
      });
    },
  };
}
