import { generateKeyPairSync, sign } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CONFIG, get, put } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

describe('the license', () => {
  it('is summarised when signed, invalid when the signature is not ours, and accepted as text otherwise', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const licenseKey = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    await using licensed = await testApp({ licenseKey });
    const chief = await licensed.asAdmin();
    const signed = (payload: object, key = privateKey) => {
      const bytes = Buffer.from(JSON.stringify(payload));
      return `${bytes.toString('base64url')}.${sign(null, bytes, key).toString('base64url')}`;
    };
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const holder = { holder: 'Acme', expiresAt: '2999-12-31' };
    const cases: [string, object][] = [
      ['', { kind: 'none' }],
      ['a plain text\nof any kind', { kind: 'text' }],
      [
        signed(holder),
        {
          kind: 'signed',
          holder: 'Acme',
          isExpired: false,
          message: 'Licensed to Acme, valid until 2999-12-31.',
        },
      ],
      [
        `-----BEGIN LICENSE-----\n${signed({ ...holder, expiresAt: '2020-01-01' })}\n-----END LICENSE-----`,
        { kind: 'signed', isExpired: true },
      ],
      [signed(holder, stranger), { kind: 'invalid', holder: null }],
    ];
    for (const [LICENSE_TEXT, expected] of cases) {
      expect((await put(chief, { settings: {}, license: { LICENSE_TEXT } })).status).toBe(200);
      const { body } = await chief.get(`${CONFIG}/state`);
      expect(body['license']).toMatchObject(expected);
      expect((await get(chief))['license']).toEqual({ LICENSE_TEXT });
    }
  });
});
