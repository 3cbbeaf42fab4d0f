import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Authenticator } from '../../testing/authenticator.ts';
import { addPasskey, PASSKEYS, PROOF } from '../../testing/passkeys.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('a new passkey', () => {
  it('is refused for another origin, host, challenge, person or session, twice, and as the 21st', async () => {
    const [zoe, otto] = [await app.asUser('zoe'), await app.asUser('otto')];
    for (const forged of [
      { origin: 'https://evil.example.com' },
      { host: 'evil.example.com' },
      { challenge: 'x'.repeat(43) },
    ]) {
      const { answer } = await addPasskey(zoe, 'Phone', undefined, forged);
      expect([answer.status, answer.body.code]).toEqual([403, 'PROOF_REFUSED']);
    }
    const { body } = await zoe.post(PASSKEYS);
    const made = { name: 'Phone', passkey: new Authenticator().create(body as never) };
    const confirm = (person: typeof zoe) => person.post(`${PASSKEYS}/confirm`, made);
    expect((await confirm(otto)).status).toBe(403);
    expect((await confirm(await app.asUser('zoe'))).status).toBe(403);
    expect((await confirm(zoe)).status).toBe(200);
    expect((await confirm(zoe)).status).toBe(403);
    const authenticator = new Authenticator();
    expect((await addPasskey(zoe, 'Key', authenticator)).answer.status).toBe(200);
    expect((await addPasskey(zoe, 'Key', authenticator)).answer.status).toBe(403);
    expect((await zoe.post(PASSKEYS)).body['excludeCredentials']).toHaveLength(2);

    const [user] = await app.store.users.findBy('nameKey', 'zoe');
    const known = user?.secondFactor?.passkeys ?? [];
    const many = Array.from({ length: 20 }, () => known[0]).filter((one) => one !== undefined);
    const secondFactor = { totp: null, recoveryHashes: [], passkeys: many };
    await app.store.users.patch(user?.id ?? '', { secondFactor });
    expect((await zoe.post(PASSKEYS)).body.message).toContain('at most 20');
  });

  it('is kept without what its maker says: nothing is fetched for it', async () => {
    const zara = await app.asUser('zara');
    const attestation: [string, Map<string, unknown>] = [
      'packed',
      new Map<string, unknown>([
        ['alg', -7],
        ['sig', new Uint8Array(70)],
        ['x5c', [new Uint8Array(200)]],
      ]),
    ];
    expect((await addPasskey(zara, 'Key', undefined, { attestation })).answer.status).toBe(200);
  });

  it('belongs to the host name under which it was made; an IP address has none', async () => {
    const zack = await app.asUser('zack');
    const at = (host: string) => ({
      post: (path: string, body?: unknown) => zack.post(path, body, { host }),
    });
    const named = at('kaptain.example.com');
    const secure = { origin: 'https://kaptain.example.com' };
    expect(
      (await addPasskey(named, 'Insecure', undefined, { origin: 'http://kaptain.example.com' })).answer
        .status,
    ).toBe(403);
    const { authenticator, answer } = await addPasskey(named, 'Phone', undefined, secure);
    expect(answer.status).toBe(200);
    expect((await at('10.0.0.1:8000').post(PASSKEYS)).body).toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('IP address'),
    });
    expect((await at('[::1]:8000').post(PASSKEYS)).status).toBe(409);
    // An answer that is sent there is refused like any other one.
    const begun = await zack.post(PASSKEYS);
    const made = { name: 'Phone', passkey: new Authenticator().create(begun.body as never) };
    expect((await at('127.0.0.1').post(`${PASSKEYS}/confirm`, made)).status).toBe(403);
    const asked = (await named.post(`${PROOF}/passkey`)).body as never;
    const proof = { passkey: authenticator.prove(asked, secure) };
    expect((await at('127.0.0.1').post(PROOF, proof)).body.code).toBe('PROOF_REFUSED');
    const { status, body } = await zack.post(`${PROOF}/passkey`);
    expect([status, body.message]).toEqual([409, expect.stringContaining('kaptain.example.com')]);
    expect((await zack.post(PASSKEYS)).body['excludeCredentials']).toEqual([]);
  });
});
