import type { UserRecord } from '@kaptain/store';

const MINUTE = 60_000;

const lockRules = {
  attempts: 5,
  windowMs: 15 * MINUTE,
  /** Each lock in a row lasts longer, the last length stays. */
  lockMs: [15 * MINUTE, 30 * MINUTE, 60 * MINUTE],
  /** Short and never longer: only the first admin can unlock others, so nobody must keep them out for long. */
  firstAdminLockMs: 5 * MINUTE,
} as const;

type LockState = Pick<
  UserRecord,
  'loginAttempts' | 'lockCount' | 'lockTime' | 'lastLoginAttempt' | 'isFirstAdmin'
>;
type LockChange = Partial<Omit<LockState, 'isFirstAdmin'>>;

/** The lock ends by itself: it is a moment in time, not a state somebody has to clear. */
export const isLocked = ({ lockTime }: Pick<LockState, 'lockTime'>, now: number): boolean =>
  lockTime !== null && Date.parse(lockTime) > now;

function lockLength({ isFirstAdmin, lockCount }: LockState): number {
  if (isFirstAdmin) return lockRules.firstAdminLockMs;
  const step = Math.min(lockCount, lockRules.lockMs.length - 1);
  return lockRules.lockMs[step] ?? lockRules.firstAdminLockMs;
}

/**
 * Counts an attempt before its password is verified, so that parallel guesses cannot outrun the counter.
 * The last attempt locks at once; when its password is right, the lock is taken back. Undefined: locked already.
 */
export function reserveAttempt(user: LockState, now: number): LockChange | undefined {
  if (isLocked(user, now)) return undefined;
  const last = user.lastLoginAttempt === null ? 0 : Date.parse(user.lastLoginAttempt);
  const startsAnew = user.lockTime !== null || now - last >= lockRules.windowMs;
  const loginAttempts = (startsAnew ? 0 : user.loginAttempts) + 1;
  const counted = { loginAttempts, lastLoginAttempt: new Date(now).toISOString(), lockTime: null };
  if (loginAttempts < lockRules.attempts) return counted;
  return {
    ...counted,
    lockTime: new Date(now + lockLength(user)).toISOString(),
    lockCount: user.lockCount + 1,
  };
}

/** What a right password leaves behind. */
export const clearedAttempts = { loginAttempts: 0, lockCount: 0, lockTime: null } satisfies LockChange;
