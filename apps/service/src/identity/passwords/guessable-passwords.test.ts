import { describe, expect, it } from 'vitest';
import { PASSWORD, testApp } from '../../testing/test-app.ts';
import { whyGuessable } from './guessable-passwords.ts';

const COMMON =
  'This password is one of the most common ones, which are guessed first: please choose another.';
const OBVIOUS =
  'This password is little more than the user name or the name of the product: please choose another.';

describe('a guessable password', () => {
  it.each(['12345678', 'password', 'PassWord1', 'iloveyou', 'p@ssw0rd', 'qwertyuiop', 'ｐａｓｓｗｏｒｄ'])(
    'is a common one like %s, in any case and width',
    (password) => expect(whyGuessable(password, 'vera')).toBe(COMMON),
  );

  it.each([
    ['Kaptain1', 'vera'],
    ['qlik2026!', 'vera'],
    ['kaptain qlik', 'vera'],
    ['VeraVera', 'vera'],
    ['vera.lang-77', 'Vera Lang'],
    ['adminpassword', 'admin'],
    ['admin12345678', 'admin'],
  ])('is %s, little more than the words around %s', (password, username) =>
    expect(whyGuessable(password, username)).toBe(OBVIOUS),
  );

  it.each([PASSWORD, 'kaptain-demo', 'verandah nights', 'qlik 2718281828', 'pässwört', '8472 9471 3829'])(
    'is not %s',
    (password) => expect(whyGuessable(password, 'vera')).toBeUndefined(),
  );

  it('is judged the same under a name of signs alone', () => {
    expect(whyGuessable('.*.*.*.*', '.*')).toBeUndefined();
    expect(whyGuessable('password', '(')).toBe(COMMON);
  });
});

describe('every call that sets a password', () => {
  it('refuses a guessable one with a reason, and keeps the old one', async () => {
    await using app = await testApp();
    const first = await app.asNobody.post('/api/user/init', { username: 'admin', password: 'Admin2026' });
    expect([first.status, first.body.message]).toEqual([400, OBVIOUS]);
    expect((await app.asNobody.get('/api/user/status')).body.status).toBe('initializationNeeded');

    const [admin, vera] = [await app.asAdmin(), await app.asUser('vera')];
    const [user] = await app.store.users.findBy('nameKey', 'vera');
    const rights = { role: 'USER', qlikId: 'A\\b', isCreate: false };
    const answers = [
      await admin.post('/api/user/create', { ...rights, username: 'anna', password: 'sunshine' }),
      await admin.call('PUT', '/api/user/update', {
        body: { ...rights, userId: user?.id, password: 'sunshine' },
      }),
      await vera.call('PUT', '/api/account/password', {
        body: { currentPassword: PASSWORD, newPassword: 'sunshine' },
      }),
    ];
    for (const { status, body } of answers)
      expect([status, body.code, body.message]).toEqual([400, 'BAD_INPUT', COMMON]);
    expect(await app.store.users.get(user?.id ?? '')).toEqual(user);
    expect(await app.store.users.findBy('nameKey', 'anna')).toEqual([]);
  });
});
