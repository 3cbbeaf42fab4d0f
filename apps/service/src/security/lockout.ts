import type { LoginAttempts, UserRecord } from '@kaptain/store';

const MINUTE = 60_000;

const lockRules = {
  attempts: 5,
  windowMs: 15 * MINUTE,
  /** Each lock in a row lasts longer, the last length stays. */
  lockMs: [15 * MINUTE, 30 * MINUTE, 60 * MINUTE],
  /** Short and never longer: only the first admin can unlock others, so nobody must keep them out for long. */
  firstAdminLockMs: 5 * MINUTE,
  /** Longer than any lock: what happened on a device before is forgotten. */
  rememberedMs: 24 * 60 * MINUTE,
} as const;

const longestLockMs = Math.max(...lockRules.lockMs);

type LockState = LoginAttempts & Pick<UserRecord, 'isFirstAdmin'>;
type LockChange = Partial<LoginAttempts>;

/**
 * `lockTime` is the time until which logins are refused. One further away than the longest lock was written while the
 * clock was ahead, and is over.
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
 * Counts an attempt before its password is verified, so that parallel guesses cannot outrun the counter.
 * The last attempt locks at once; when its password is right, the lock is taken back. Undefined: locked already.
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

/** What an unlock leaves behind. */
export const clearedAttempts = { ...noAttempts, deviceAttempts: {} } satisfies Partial<UserRecord>;

/** Where an attempt counts: on the device when it is a known one, else on the account. */
export const attemptsOn = (user: UserRecord, device: string | undefined): LockState =>
  device === undefined
    ? user
    : {
        lastLoginAttempt: null,
        ...noAttempts,
        ...user.deviceAttempts?.[device],
        isFirstAdmin: user.isFirstAdmin,
      };

/** What is counted on other devices, as long as it matters. */
function otherDevices({ deviceAttempts = {} }: UserRecord, device: string, now: number) {
  return Object.fromEntries(
    Object.entries(deviceAttempts).filter(
      ([other, { lastLoginAttempt }]) =>
        other !== device && Math.abs(now - Date.parse(lastLoginAttempt ?? '')) < lockRules.rememberedMs,
    ),
  );
}

/** The change of the user that counts an attempt; undefined: locked already. */
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

/** What a right password leaves behind: a stranger's failures stay where they are when it came from a known device. */
export const succeededOn = (
  user: UserRecord,
  device: string | undefined,
  now: number,
): Partial<UserRecord> =>
  device === undefined
    ? noAttempts
    : { deviceAttempts: otherDevices(user, device, now), lastLoginAttempt: new Date(now).toISOString() };
