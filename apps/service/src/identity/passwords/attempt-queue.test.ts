import { describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import type { TestAnswer } from '../../testing/caller.ts';
import { heldPasswords } from '../../testing/counting-passwords.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';

const FLOOD = sized(200, 30);
const AT_ONCE = 2;
const busy = [429, 'TOO_MANY_REQUESTS', '1'];
const times = (count: number, answer: unknown[]) => Array.from({ length: count }, () => answer);

/** The answers in the order of their arrival; passwords are verified after all but two have arrived. */
async function inOrder(passwords: { release(): void }, ask: (index: number) => Promise<TestAnswer>) {
  const answers: unknown[][] = [];
  const note = ({ status, body, headers }: TestAnswer) => {
    answers.push([status, body.code, headers['retry-after']]);
    if (answers.length === FLOOD - AT_ONCE) passwords.release();
  };
  await Promise.all(Array.from({ length: FLOOD }, async (_, index) => note(await ask(index))));
  return { early: answers.slice(0, FLOOD - AT_ONCE), late: answers.slice(FLOOD - AT_ONCE) };
}

describe('a flood of passwords for one name', () => {
  it.each(['vera', 'unknown'])(
    'is refused but for two attempts, in any spelling, whether the user exists or not: %s',
    async (name) => {
      const passwords = heldPasswords();
      await using app = await testApp({ passwords });
      await app.asUser('vera');
      passwords.hold();
      const { early, late } = await inOrder(passwords, (index) =>
        app.asNobody.post('/auth/login', {
          username: index % 2 === 0 ? name : name.toUpperCase(),
          password: `guess ${index}`,
        }),
      );
      expect(early).toEqual(times(FLOOD - AT_ONCE, busy));
      expect(late).toEqual(times(AT_ONCE, [401, 'LOGIN_REFUSED', undefined]));
      expect((await app.asNobody.post('/auth/login', { username: 'vera', password: PASSWORD })).status).toBe(
        200,
      );
    },
  );

  it('is refused in the same way when users change their own password', async () => {
    const passwords = heldPasswords();
    await using app = await testApp({ passwords });
    const vera = await app.asUser('vera');
    passwords.hold();
    const body = { currentPassword: 'not my password', newPassword: 'a much better one' };
    const { early, late } = await inOrder(passwords, () =>
      vera.call('PUT', '/api/account/password', { body }),
    );
    expect(early).toEqual(times(FLOOD - AT_ONCE, busy));
    expect(late).toEqual(times(AT_ONCE, [403, 'WRONG_PASSWORD', undefined]));
  });

  it('refuses neither another name nor a known device of this one', async () => {
    const passwords = heldPasswords();
    await using app = await testApp({ passwords, trustedProxies: ['127.0.0.1'] });
    await Promise.all([app.asUser('vera'), app.asUser('otto')]);
    const https = { 'x-forwarded-proto': 'https' };
    const logIn = (username: string, headers: object = {}) =>
      app.asNobody.post('/auth/login', { username, password: PASSWORD }, { ...https, ...headers });
    const [cookie = ''] = String((await logIn('vera')).headers['set-cookie']).split(';');
    passwords.hold();
    const strangers = Array.from({ length: FLOOD }, () => logIn('vera'));
    const others = [logIn('otto'), logIn('vera', { cookie }), logIn('vera', { cookie })];
    passwords.release();
    expect((await Promise.all(others)).map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(strangers);
  });

  it('does not count refused attempts on the limit of the address', async () => {
    const passwords = heldPasswords();
    const addressRules = { login: [{ count: 3, perMs: 60_000 }], wrongSetupToken: [] };
    await using app = await testApp({ passwords, addressRules });
    await app.asUser('vera');
    passwords.hold();
    const logIn = () => app.asNobody.post('/auth/login', { username: 'vera', password: PASSWORD });
    const { late } = await inOrder(passwords, logIn);
    expect(late.map(([status]) => status)).toEqual([200, 200]);
    expect((await logIn()).status).toBe(200);
  });
});

it('counts no attempt that the full queue of all names refuses, neither on the account nor on the address', async () => {
  const passwords = heldPasswords();
  const addressRules = { login: [{ count: 103, perMs: 60_000 }], wrongSetupToken: [] };
  await using app = await testApp({ passwords, addressRules });
  await app.asUser('vera');
  const logIn = (username: string, password: string) =>
    app.asNobody.post('/auth/login', { username, password });
  passwords.hold();
  // At most 102 are admitted: 100 that wait, and one or two that are verified.
  const flood = Array.from({ length: 103 }, (_, n) => logIn(`unknown ${n}`, 'a wrong password'));
  await Promise.any(flood.map(async (answer) => expect((await answer).status).toBe(429)));
  const refused = await Promise.all(Array.from({ length: 2 }, () => logIn('vera', 'a wrong password')));
  expect(refused.map(({ status, body }) => [status, body.message])).toEqual(
    times(2, [429, 'Too many logins at once. Please try again in a moment.']),
  );
  passwords.release();
  await Promise.all(flood);
  const [vera] = await app.store.users.findBy('nameKey', 'vera');
  expect(vera?.loginAttempts).toBe(0);
  expect((await logIn('vera', PASSWORD)).status).toBe(200);
});

it('creates the first admin with one hash, for any number of parallel calls, and answers an error when it fails', async () => {
  const passwords = heldPasswords();
  await using app = await testApp({ passwords });
  passwords.hold();
  let hashed = 0;
  const real = { ...passwords };
  passwords.hash = async (password) => {
    hashed += 1;
    await real.hash(password);
    throw new Error('The disk is gone.');
  };
  const init = () => app.asNobody.post('/api/user/init', { username: 'admin', password: PASSWORD });
  const all = Array.from({ length: FLOOD }, init);
  // It reads the same record as the calls before it, so they have read it too when it is answered.
  await app.asNobody.get('/api/user/status');
  passwords.release();
  const statuses = (await Promise.all(all)).map(({ status }) => status);
  expect(hashed).toBeLessThan(10);
  expect(new Set(statuses)).toEqual(new Set([500, 429]));
  Object.assign(passwords, real);
  expect((await init()).body.status).toBe('initialized');
});
