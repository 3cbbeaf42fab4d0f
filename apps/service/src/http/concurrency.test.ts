import { describe, expect, it } from 'vitest';
import { Concurrency } from './concurrency.ts';

/** Takes as many places as it gets. */
function takeAll(places: Concurrency, userId: string): (() => void)[] {
  const taken: (() => void)[] = [];
  for (;;) {
    try {
      taken.push(places.take(userId, 'too many'));
    } catch {
      return taken;
    }
  }
}

describe('places', () => {
  it.each([
    [4, 16],
    [4, 8],
    [20, 1000],
  ])(
    'for %i of a user and %i in all: however greedy four users are, a fifth gets one',
    (perUser, overall) => {
      const places = new Concurrency(perUser, overall);
      const counts = ['a', 'b', 'c', 'd'].map((user) => takeAll(places, user).length);
      expect(counts[0]).toBe(Math.min(perUser, overall / 2));
      for (const count of counts) expect(count).toBeGreaterThan(0);
      expect(() => places.take('newcomer', 'too many')).not.toThrow();
    },
  );

  it('are never more than there are, and come back one by one', () => {
    const places = new Concurrency(4, 16);
    const users = Array.from({ length: 30 }, (_, n) => takeAll(places, `user ${n}`));
    expect(users.flat()).toHaveLength(16);
    expect(() => places.take('newcomer', 'too many')).toThrow('too many');
    users[0]?.[0]?.();
    users[0]?.[0]?.();
    expect(takeAll(places, 'newcomer')).toHaveLength(1);
  });
});
