import type { AuditAction } from '@kaptain/contract';
import type { Nouns, Store, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import type { AppError } from '../../base/errors/app-error.ts';
import type { RateLimit } from '../../http/limits/rate-limit.ts';
import { hasSecondFactor } from '../second-factor/second-factor.ts';
import type { AttemptQueue } from './attempt-queue.ts';
import type { Devices } from './devices.ts';
import { attemptsOn, isLocked, reserveOn, succeededOn, uncounted } from './lockout.ts';
import type { Passwords } from './passwords.ts';

interface AttemptsDeps {
  store: Store;
  passwords: Passwords;
  devices: Devices;
  addressLimit: RateLimit;
  attemptQueue: AttemptQueue;
  clock: () => number;
}

/** An attempt of a known user to show who they are. */
interface Attempt<T> {
  userId: string;
  username: string;
  /**
   * Verifies a password before the unit of work, because it is slow; without a hash it only takes as long. Absent
   * when `accept` verifies.
   */
  verify?: (passwordHash: string | undefined) => Promise<boolean>;
  /**
   * Verifies and stores in one unit of work, so that nothing is used twice; `cleared` has the counters after a success.
   * Undefined means wrong.
   */
  accept: (nouns: Nouns, user: UserRecord, cleared: Partial<UserRecord>) => Promise<T | undefined>;
  /** The audited action of a refusal. */
  action: AuditAction;
  refusal: () => AppError;
  /** The answer when the user no longer exists. */
  gone: () => AppError;
}

const TOO_MANY = 'Too many wrong passwords from this address. Please try again later.';

/** Counts attempts under the same counter, lock and limits as a login. */
export function createAttempts(deps: AttemptsDeps) {
  const { store, passwords, devices, addressLimit, attemptQueue, clock } = deps;

  const reserve = (userId: string, device: string | undefined) =>
    store.transaction(async (nouns) => {
      const user = await nouns.users.get(userId);
      const change = user && reserveOn(user, device, clock());
      return change
        ? { before: user, user: await nouns.users.patch(userId, change), mayTry: true }
        : { before: user, user, mayTry: false };
    });

  /**
   * The counters after a success. A password clears none of an account with a second factor: otherwise a known one
   * would give any number of codes to guess.
   */
  const clearedBy = (
    { verify }: Attempt<unknown>,
    before: UserRecord,
    user: UserRecord,
    device: string | undefined,
  ) => (verify && hasSecondFactor(user) ? uncounted(before, user) : succeededOn(user, device, clock()));

  async function refuse(
    { action, refusal }: Attempt<unknown>,
    user: UserRecord,
    hasJustLocked: boolean,
    call: Call,
  ): Promise<never> {
    const target = { noun: 'user', id: user.id, name: user.username };
    const actor = { id: user.id, username: user.username };
    await store.transaction(async (nouns) => {
      await audit(nouns, call, clock(), { action, target, actor, result: 'refused' });
      if (hasJustLocked) await audit(nouns, call, clock(), { action: 'session.locked', target, actor });
    });
    throw refusal();
  }

  async function run<T>(attempt: Attempt<T>, device: string | undefined, call: Call): Promise<T> {
    const refund = addressLimit.consume(call.ip, TOO_MANY);
    const { before, user, mayTry } = await reserve(attempt.userId, device);
    if (!before || !user) throw attempt.gone();
    const isVerified = attempt.verify
      ? await attempt.verify(mayTry ? user.passwordHash || undefined : undefined)
      : true;
    const accepted =
      mayTry && isVerified
        ? await store.transaction(async (nouns) => {
            const current = await nouns.users.get(user.id);
            // The user was deleted or got another password during the verification.
            if (current?.passwordHash !== user.passwordHash) throw attempt.gone();
            return attempt.accept(nouns, current, clearedBy(attempt, before, current, device));
          })
        : undefined;
    if (accepted === undefined)
      return refuse(attempt, user, mayTry && isLocked(attemptsOn(user, device), clock()), call);
    // Only failures count on the address.
    refund();
    return accepted;
  }

  return <T>(attempt: Attempt<T>, call: Call): Promise<T> => {
    const device = devices.of(call, attempt.userId);
    const counted = () => run(attempt, device, call);
    // Admitted before the attempt is counted: one that is refused because the queue is full does not count.
    return attemptQueue.run(attempt.username, device, () =>
      attempt.verify ? passwords.admit(counted) : counted(),
    );
  };
}

export type Attempts = ReturnType<typeof createAttempts>;
