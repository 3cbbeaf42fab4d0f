import { describe, expect, it } from 'vitest';
import { isLocked, reserveAttempt } from './lockout.ts';

const MINUTE = 60_000;
const start = Date.parse('2026-01-01T00:00:00Z');
const fresh = { loginAttempts: 0, lockCount: 0, lockTime: null, lastLoginAttempt: null, isFirstAdmin: false };
type State = Parameters<typeof reserveAttempt>[0];

/** Fails until the account is locked; returns for how many minutes. */
function lockOnce(user: State, now: number): { user: State; minutes: number; now: number } {
  let state = user;
  for (let count = 0; count < 5; count++) {
    const change = reserveAttempt(state, now);
    if (!change) throw new Error('locked too early');
    state = { ...state, ...change };
  }
  const until = Date.parse(state.lockTime ?? '');
  return { user: state, minutes: (until - now) / MINUTE, now: until };
}

function locksInARow(user: State, times: number): number[] {
  const minutes: number[] = [];
  let [state, now] = [user, start];
  for (let count = 0; count < times; count++) {
    const locked = lockOnce(state, now);
    minutes.push(locked.minutes);
    [state, now] = [locked.user, locked.now];
  }
  return minutes;
}

describe('locks', () => {
  it('last 15, then 30, then 60 minutes', () => {
    expect(locksInARow(fresh, 5)).toEqual([15, 30, 60, 60, 60]);
  });

  it('last 5 minutes for the first admin, always', () => {
    expect(locksInARow({ ...fresh, isFirstAdmin: true }, 4)).toEqual([5, 5, 5, 5]);
  });

  it('end exactly at lockTime', () => {
    const { user, now } = lockOnce(fresh, start);
    expect([isLocked(user, now - 1), isLocked(user, now)]).toEqual([true, false]);
    expect(reserveAttempt(user, now - 1)).toBeUndefined();
    expect(reserveAttempt(user, now)).toMatchObject({ loginAttempts: 1, lockTime: null });
  });

  it('forget failures older than 15 minutes', () => {
    const almost = { ...fresh, loginAttempts: 4, lastLoginAttempt: new Date(start).toISOString() };
    expect(reserveAttempt(almost, start + 15 * MINUTE)).toMatchObject({ loginAttempts: 1, lockTime: null });
    expect(reserveAttempt(almost, start + 15 * MINUTE - 1)?.lockTime).not.toBeNull();
  });
});
