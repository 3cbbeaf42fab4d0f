import { expect } from 'vitest';
import type { Caller, TestAnswer } from './caller.ts';
import { callerOf } from './caller.ts';
import { CLIENT, type Person, startProvider, throughProvider } from './provider.ts';
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts';

/** The settings block of the test provider. */
export const providerBlock = (issuer: string, change: object = {}) => ({
  enabled: true,
  name: 'Example Corp',
  issuer,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  scopes: 'openid profile groups offline_access',
  usernameClaim: 'preferred_username',
  rolesClaim: 'groups',
  adminValues: 'kaptain-admins',
  userValues: 'kaptain-users',
  groupMapping: 'sales-team = Sales\nstock-team = Stock',
  createsUsers: true,
  ...change,
});

/** A USER of the provider. */
export const personNamed = (name: string, ...groups: string[]): Person => ({
  sub: `sub-${name}`,
  preferred_username: name,
  groups: groups.length > 0 ? groups : ['kaptain-users'],
});

/** The one-time code with which the browser comes back to the login page. */
export const codeIn = ({ headers }: Pick<TestAnswer, 'headers'>): string =>
  /^\/login#sign-in=([\w-]{43})$/.exec(String(headers['location']))?.[1] ?? '';

/** The service with a real provider, which is set up and on. */
export async function providerApp(options: TestAppOptions = {}) {
  const provider = await startProvider();
  const app = await testApp(options);
  const groups = { authority: ['READ' as const], kapsuleIds: [], userIds: [], createdAt: '', updatedAt: '' };
  for (const groupname of ['Sales', 'Stock'])
    await app.store.groups.insert({ groupname, nameKey: groupname.toLowerCase(), ...groups });

  const block = (change: object = {}) => providerBlock(provider.issuer, change);
  const save = async (change: object = {}) =>
    (await app.asAdmin()).call('PUT', '/configuration/sys/update/info', {
      body: { settings: {}, provider: block(change) },
    });
  const begin = async (on: TestApp = app) => {
    const { status, body } = await on.asNobody.post('/auth/provider/start', { to: 'console' });
    expect(status).toBe(200);
    return { url: String(body['url']), verifier: String(body['verifier']) };
  };
  /** The answer of the service to the way back from the provider. */
  const back = (address: string, on: TestApp = app) => {
    const { pathname, search } = new URL(address);
    return on.asNobody.get(pathname + search, { accept: 'text/html' });
  };
  const pickUp = (code: string, verifier: string, on: TestApp = app) =>
    on.asNobody.post('/auth/provider/session', { code, verifier });
  const signIn = async (person: Person) => {
    provider.is(person);
    const { url, verifier } = await begin();
    return pickUp(codeIn(await back(await throughProvider(url))), verifier);
  };
  /** A session of this person. */
  const sessionOf = async (person: Person): Promise<Caller> => {
    const { status, body } = await signIn(person);
    expect(status).toBe(200);
    return callerOf(app.http, body.accessToken);
  };
  const userOf = async (nameKey: string) => (await app.store.users.findBy('nameKey', nameKey))[0];
  const groupsOf = async (nameKey: string) =>
    (await app.store.groups.findBy('userIds', (await userOf(nameKey))?.id ?? '')).map(
      ({ groupname }) => groupname,
    );
  await save();
  return {
    app,
    provider,
    block,
    save,
    begin,
    back,
    pickUp,
    signIn,
    sessionOf,
    userOf,
    groupsOf,
    async close() {
      await app[Symbol.asyncDispose]();
      await provider.close();
    },
  };
}
export type ProviderApp = Awaited<ReturnType<typeof providerApp>>;
