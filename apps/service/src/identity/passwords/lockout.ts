import type { LoginAttempts, UserRecord } from '@kaptain/store';
import { MINUTE_MS } from '../../base/time/durations.ts';

const lockRules = {
  attempts: 5,
  windowMs: 15 * MINUTE_MS,
  /** Each further lock without a successful login in between lasts longer, up to the last value. */
  lockMs: [15 * MINUTE_MS, 30 * MINUTE_MS, 60 * MINUTE_MS],
  /** Short and constant: only the first admin can unlock others, so an attacker must not lock them out for long. */
  firstAdminLockMs: 5 * MINUTE_MS,
  /** Failures on a device are deleted after this time, which is longer than any lock. */
  rememberedMs: 24 * 60 * MINUTE_MS,
} as const;

const longestLockMs = Math.max(...lockRules.lockMs);

type LockState = LoginAttempts & Pick<UserRecord, 'isFirstAdmin'>;
type LockChange = Partial<LoginAttempts>;

/**
 * `lockTime` is the time until which logins are refused. A value beyond the longest lock was written while the clock
 * was ahead, and counts as expired.
 */
export function isLocked(
  { lockTime, isFirstAdmin }: Pick<LockState, 'lockTime' | 'isFirstAdmin'>,
  now: number,
) {
  const left = lockTime === null ? 0 : Date.parse(lockTime) - now;
  return left > 0 && left <= (isFirstAdmin ? lockRules.firstAdminLockMs : longestLockMs);
}

function lockLength({ isFirstAdmin, lockCount }: LockState): number {
  if (isFirstAdmin) return lockRules.firstAdminLockMs;
  const step = Math.min(lockCount, lockRules.lockMs.length - 1);
  return lockRules.lockMs[step] ?? lockRules.firstAdminLockMs;
}

/**
 * Counts an attempt before its password is verified, so that parallel guesses can't exceed the limit. The fifth
 * attempt locks immediately; a right password removes the lock. Returns undefined when it is locked already.
 */
export function reserveAttempt(user: LockState, now: number): LockChange | undefined {
  if (isLocked(user, now)) return undefined;
  const last = user.lastLoginAttempt === null ? 0 : Date.parse(user.lastLoginAttempt);
  const startsAnew = user.lockTime !== null || Math.abs(now - last) >= lockRules.windowMs;
  const loginAttempts = (startsAnew ? 0 : user.loginAttempts) + 1;
  const counted = { loginAttempts, lastLoginAttempt: new Date(now).toISOString(), lockTime: null };
  if (loginAttempts < lockRules.attempts) return counted;
  return {
    ...counted,
    lockTime: new Date(now + lockLength(user)).toISOString(),
    lockCount: user.lockCount + 1,
  };
}

const noAttempts = { loginAttempts: 0, lockCount: 0, lockTime: null } satisfies LockChange;

/** The fields that an unlock resets. */
export const clearedAttempts = { ...noAttempts, deviceAttempts: {} } satisfies Partial<UserRecord>;

/** All counters of a user, to restore them after an attempt that counts as none. */
export const countersOf = (user: UserRecord): Partial<UserRecord> => {
  const { loginAttempts, lastLoginAttempt, lockTime, lockCount, deviceAttempts = {} } = user;
  return { loginAttempts, lastLoginAttempt, lockTime, lockCount, deviceAttempts };
};

/** The counters after an attempt that counts as none, as long as no other was counted since `before`. */
export const uncounted = (before: UserRecord, now: UserRecord): Partial<UserRecord> =>
  now.version === before.version + 1 ? countersOf(before) : {};

/** The counters that apply to an attempt: those of a known device, else those of the account. */
export const attemptsOn = (user: UserRecord, device: string | undefined): LockState =>
  device === undefined
    ? user
    : {
        lastLoginAttempt: null,
        ...noAttempts,
        ...user.deviceAttempts?.[device],
        isFirstAdmin: user.isFirstAdmin,
      };

/** The counters of other devices, without expired ones. */
function otherDevices({ deviceAttempts = {} }: UserRecord, device: string, now: number) {
  return Object.fromEntries(
    Object.entries(deviceAttempts).filter(
      ([other, { lastLoginAttempt }]) =>
        other !== device && Math.abs(now - Date.parse(lastLoginAttempt ?? '')) < lockRules.rememberedMs,
    ),
  );
}

/** The change of the user record that counts an attempt; undefined when it is locked already. */
export function reserveOn(
  user: UserRecord,
  device: string | undefined,
  now: number,
): Partial<UserRecord> | undefined {
  const attempts = attemptsOn(user, device);
  const change = reserveAttempt(attempts, now);
  if (!change || device === undefined) return change;
  const { isFirstAdmin: _, ...counted } = { ...attempts, ...change };
  return { deviceAttempts: { ...otherDevices(user, device, now), [device]: counted } };
}

/** The change after a right password; on a known device the failures counted on the account stay. */
export const succeededOn = (
  user: UserRecord,
  device: string | undefined,
  now: number,
): Partial<UserRecord> =>
  device === undefined
    ? noAttempts
    : { deviceAttempts: otherDevices(user, device, now), lastLoginAttempt: new Date(now).toISOString() };
