import { describe, expect, it } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

/** Acquires permits until it is refused; returns their releases. */
function acquireAll(limit: ConcurrencyLimit, userId: string): (() => void)[] {
  const releases: (() => void)[] = [];
  for (;;) {
    try {
      releases.push(limit.acquire(userId, 'too many'));
    } catch {
      return releases;
    }
  }
}

describe('a concurrency limit', () => {
  it.each([
    [4, 16],
    [4, 8],
    [20, 1000],
  ])(
    'of %i per user and %i overall leaves a permit for a fifth user when four users take all they get',
    (perUser, overall) => {
      const limit = new ConcurrencyLimit(perUser, overall);
      const counts = ['a', 'b', 'c', 'd'].map((user) => acquireAll(limit, user).length);
      expect(counts[0]).toBe(Math.min(perUser, overall / 2));
      for (const count of counts) expect(count).toBeGreaterThan(0);
      expect(() => limit.acquire('newcomer', 'too many')).not.toThrow();
    },
  );

  it('gives out no more permits than overall, and releases each once', () => {
    const limit = new ConcurrencyLimit(4, 16);
    const users = Array.from({ length: 30 }, (_, n) => acquireAll(limit, `user ${n}`));
    expect(users.flat()).toHaveLength(16);
    expect(() => limit.acquire('newcomer', 'too many')).toThrow('too many');
    users[0]?.[0]?.();
    users[0]?.[0]?.();
    expect(acquireAll(limit, 'newcomer')).toHaveLength(1);
  });

  it('keeps the reserved permits for ADMINs, who may use the others too', () => {
    const limit = new ConcurrencyLimit(2, 4, 1);
    const release = ['a', 'b', 'c'].map((user) => limit.acquire(user, 'too many', 'USER'))[0];
    expect(() => limit.acquire('d', 'too many', 'USER')).toThrow('too many');
    limit.acquire('admin', 'too many', 'ADMIN');
    expect(() => limit.acquire('another admin', 'too many', 'ADMIN')).toThrow('too many');
    release?.();
    expect(limit.permits).toEqual({ held: 3, limit: 4 });
    limit.acquire('another admin', 'too many', 'ADMIN');
    expect(() => limit.acquire('d', 'too many', 'USER')).toThrow('too many');
  });
});
