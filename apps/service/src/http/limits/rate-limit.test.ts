import { describe, expect, it } from 'vitest';
import { addressKey, RateLimit } from './rate-limit.ts';

describe('a limit per address', () => {
  it('refuses the attempt beyond the limit, with the time to wait', () => {
    let now = 0;
    const limit = new RateLimit([{ count: 2, perMs: 10_000 }], () => now);
    limit.consume('10.0.0.1', 'wait');
    now = 4000;
    limit.consume('10.0.0.1', 'wait');
    expect(() => limit.consume('10.0.0.1', 'wait')).toThrow(
      expect.objectContaining({ headers: { 'retry-after': '6' } }),
    );
    limit.consume('10.0.0.2', 'wait');
    now = 10_000;
    limit.consume('10.0.0.1', 'wait');
    expect(() => limit.consume('10.0.0.1', 'wait')).toThrow('wait');
  });

  it('applies its short and its long window together', () => {
    let now = 0;
    const limit = new RateLimit(
      [
        { count: 2, perMs: 1000 },
        { count: 3, perMs: 60_000 },
      ],
      () => now,
    );
    for (let count = 0; count < 3; count++) {
      limit.consume('x', 'wait');
      now += 1000;
    }
    expect(() => limit.consume('x', 'wait')).toThrow('wait');
  });

  it('refunds an attempt, even after later ones', () => {
    const limit = new RateLimit([{ count: 2, perMs: 1000 }], () => 5);
    const refund = limit.consume('x', 'wait');
    limit.consume('x', 'wait');
    refund();
    limit.consume('x', 'wait');
    expect(() => limit.consume('x', 'wait')).toThrow('wait');
  });

  it.each([
    ['10.1.2.3', '10.1.2.3'],
    ['::ffff:10.1.2.3', '10.1.2.3'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8:1:2::9', '2001:db8:1:2'],
    ['::1', '0:0:0:0'],
    ['2001:db8::1', '2001:db8:0:0'],
  ])('counts %s as %s', (ip, key) => {
    expect(addressKey(ip)).toBe(key);
  });
});
