import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { throughProvider } from '../../testing/provider.ts';
import { type ProviderApp, personNamed, providerApp } from '../../testing/provider-app.ts';

let company: ProviderApp;
beforeAll(async () => {
  company = await providerApp();
  await company.app.asUser('ulla', { qlikId: 'CORP\\ulla' });
});
afterAll(() => company.close());

async function refusalOf(name: string): Promise<[number, string]> {
  company.provider.is(personNamed(name));
  const { status, text } = await company.back(await throughProvider((await company.begin()).url));
  return [status, text];
}

describe('a claim that is shown like another account', () => {
  it('is refused at the first sign-in, whatever its spelling', async () => {
    const before = (await company.app.store.users.all()).length;
    for (const name of [
      'ulla',
      'ＵＬＬＡ',
      'CORP\\ulla',
      'corp\\Ulla',
      'ＣＯＲＰ＼ulla',
      'CO\u200bRP\\ulla',
      'UserDirectory=CORP; UserId=ulla',
      'x;UserId=ulla;UserDirectory=corp',
    ]) {
      const [status, text] = await refusalOf(name);
      expect([name, status, text.includes('There is another account with the name')]).toEqual([
        name,
        403,
        true,
      ]);
    }
    expect(await company.app.store.users.all()).toHaveLength(before);
  });

  it('renames no account at a later sign-in', async () => {
    const person = personNamed('otto');
    expect((await company.signIn(person)).status).toBe(200);
    const again = await company.signIn({ ...person, preferred_username: 'CORP\\ulla' });
    expect([again.status, again.body.user]).toMatchObject([200, { username: 'otto' }]);
  });

  it('is refused to an ADMIN too, who gives it as a Qlik id later', async () => {
    expect((await company.signIn(personNamed('CORP\\nora'))).status).toBe(200);
    const nora = {
      username: 'nora',
      password: 'a password of nora',
      role: 'USER',
      groups: [],
      isCreate: false,
    };
    const admin = await company.app.asAdmin();
    const { status, body } = await admin.post('/api/user/create', { ...nora, qlikId: 'CORP\\nora' });
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
  });
});
