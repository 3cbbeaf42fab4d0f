import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { formOf, idOf } from '../../testing/users.ts';

const shared = appOfFile();

const ULLA = 'CORP\\ulla';
/** Each of these looks like the Qlik id of ulla, or can be read as it. */
const LIKE_ULLA = [
  ULLA,
  'corp\\ULLA',
  'ＣＯＲＰ＼ｕｌｌａ',
  'CO\u200bRP\\ulla',
  'CORP \\ ulla',
  'UserDirectory=CORP; UserId=ulla',
  'x;UserId=ulla;UserDirectory=corp',
];

const create = (username: string, qlikId: string) =>
  shared.admin.post('/api/user/create', {
    username,
    password: 'a password of somebody',
    role: 'USER',
    groups: [],
    qlikId,
    isCreate: false,
  });

describe('a name or Qlik id that is shown like another account’s', () => {
  it('is refused when an account is created', async () => {
    await shared.app.asUser('ulla', { qlikId: ULLA });
    await shared.app.asUser('subject', { qlikId: '\\auth0|ida' });
    for (const name of LIKE_ULLA) {
      expect([name, (await create(name, 'CORP\\free')).body.code]).toEqual([name, 'CONFLICT']);
      expect([name, (await create('free', name)).body.code]).toEqual([name, 'CONFLICT']);
    }
    for (const name of ['ulla', 'ULLA', 'auth0|ida'])
      expect([name, (await create('free', name)).body.code]).toEqual([name, 'CONFLICT']);
    expect((await create('free', 'OTHER\\ulla')).status).toBe(200);
    expect((await create('same', 'same')).status).toBe(200);
  });

  it('is refused when an account is changed; what was stored before stays usable', async () => {
    const { app, admin } = shared;
    await app.asUser('ulrike', { qlikId: 'CORP\\ulrike' });
    await app.asUser('twin', { qlikId: 'CORP\\ulrike' });
    await app.asUser('tom');
    const update = async (name: string, qlikId: string) =>
      (await admin.call('PUT', '/api/user/update', { body: formOf(await idOf(app, name), { qlikId }) }))
        .status;
    expect(await update('tom', 'corp\\ulrike')).toBe(409);
    expect(await update('tom', 'twin')).toBe(409);
    expect(await update('twin', 'CORP\\ulrike')).toBe(200);
    expect(await update('twin', 'CORP\\twin')).toBe(200);
    expect(await update('twin', 'CORP\\ulrike')).toBe(409);
    expect(await update('ulrike', 'corp\\Ulrike')).toBe(200);
  });

  it('has one winner when two accounts ask for it at once', async () => {
    const answers = await Promise.all([
      create('race one', 'CORP\\race'),
      create('race two', 'CORP\\race'),
      create('CORP\\race', 'CORP\\three'),
    ]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
  });
});
