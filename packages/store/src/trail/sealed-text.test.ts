import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sealedText } from './sealed-text.ts';
import { Seals } from './seals.ts';

const entry = {
  version: 1,
  id: '0123456789abcdef01234567',
  number: 7,
  at: '2026-11-15T10:00:00.000Z',
  actor: { username: 'Zoë "the" admin', userId: 'u1' },
  changes: [{ to: null, from: 'a\u2028b\ud83d\ude00' }, []],
  left: undefined,
  '10': 'ten',
  '9': 'nine',
};

describe('the text that audit entries are sealed over', () => {
  it('has exactly these bytes, on which every stored seal depends', () => {
    expect(sealedText(['before', entry])).toBe(
      '["before",{"9":"nine","10":"ten","actor":{"userId":"u1","username":"Zoë \\"the\\" admin"},"at":"2026-11-15T10:00:00.000Z","changes":[{"from":"a\u2028b😀","to":null},[]],"id":"0123456789abcdef01234567","number":7,"version":1}]',
    );
  });

  it('is what the HMAC of a seal is computed over, here of the record of the end: the last number and its seal', () => {
    const secret = Buffer.from('a secret of this test');
    const seal = createHmac('sha256', secret)
      .update(sealedText(['end', 7, 'last seal']))
      .digest('base64url');
    expect(new Seals(() => secret).ofEnd(7, 'last seal')).toBe(seal);
  });
});
