import { describe, expect, it } from 'vitest';
import { base32, codeOfStep, fromBase32, matchingStep, newTotpSecret, stepAt } from './totp.ts';

const seed = Buffer.from('12345678901234567890');
const secret = base32(seed);

describe('one-time passwords by time', () => {
  it.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('are those of RFC 6238, appendix B: second %i', (second, code) => {
    expect(codeOfStep(seed, stepAt(second * 1000), 8)).toBe(code);
  });

  it.each([
    '755224',
    '287082',
    '359152',
    '969429',
    '338314',
    '254676',
    '287922',
    '162583',
    '399871',
    '520489',
  ])('are those of RFC 4226, appendix D: %s', (code) => {
    const codes = Array.from({ length: 10 }, (_, count) => codeOfStep(seed, count));
    expect(codes).toContain(code);
  });

  it('have secrets of 160 bits in base32, which is read back', () => {
    expect(secret).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
    expect(fromBase32(secret)).toEqual(seed);
    expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/);
    expect(newTotpSecret()).not.toBe(newTotpSecret());
  });

  it('are valid one step earlier and later, and never twice', () => {
    const now = 1_700_000_000_000;
    const step = stepAt(now);
    const code = (at: number) => codeOfStep(seed, at);
    for (const near of [step - 1, step, step + 1])
      expect(matchingStep(secret, code(near), now, 0)).toBe(near);
    for (const far of [step - 2, step + 2]) expect(matchingStep(secret, code(far), now, 0)).toBeUndefined();
    expect(matchingStep(secret, code(step), now, step)).toBeUndefined();
    expect(matchingStep(secret, code(step - 1), now, step)).toBeUndefined();
    expect(matchingStep(secret, code(step + 1), now, step)).toBe(step + 1);
  });

  it('work again after the clock was ahead for a day', () => {
    const now = 1_700_000_000_000;
    const code = codeOfStep(seed, stepAt(now));
    expect(matchingStep(secret, code, now, stepAt(now) + 2880)).toBe(stepAt(now));
    expect(matchingStep(secret, code, now, stepAt(now) + 5)).toBeUndefined();
  });
});
