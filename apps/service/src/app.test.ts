import { api, type Route } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { testApp } from './testing/test-app.ts';

const routes = Object.entries(api).flatMap(([noun, calls]) =>
  Object.entries<Route>(calls).map(([name, route]) => ({ name: `${noun}.${name}`, route })),
);

describe('the registry', () => {
  it('serves every call of the contract', async () => {
    await using app = await testApp();
    await app.http.ready();
    const missing = routes.filter(({ route: { method, path } }) => !app.http.hasRoute({ method, url: path }));
    expect(missing).toEqual([]);
  });

  it('allows an anonymous caller, a USER and an ADMIN the calls of their access, and no others', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const refused = {
      everyone: [undefined, undefined, undefined],
      loggedIn: ['NOT_LOGGED_IN', undefined, undefined],
      loggedInOrExtension: ['NOT_LOGGED_IN', undefined, undefined],
      dataApi: ['NOT_LOGGED_IN', undefined, undefined],
      extension: ['NOT_LOGGED_IN', 'NOT_LOGGED_IN', 'NOT_LOGGED_IN'],
      admin: ['NOT_LOGGED_IN', 'FORBIDDEN', undefined],
      adminWithApiKeys: ['NOT_LOGGED_IN', 'FORBIDDEN', 'API_KEYS_OFF'],
      firstAdmin: ['NOT_LOGGED_IN', 'FORBIDDEN', undefined],
    } as const;
    const wrong: string[] = [];
    // These end the session that the others are called with.
    const ending = ['session.logout', 'session.logoutProvider'];
    for (const { name, route } of routes.filter((entry) => !ending.includes(entry.name)))
      for (const [index, caller] of [app.asNobody, vera, admin].entries()) {
        const { body } = await caller.call(route.method, route.path.replace(/:\w+/g, 'x'));
        const expected = refused[route.access][index];
        const isRight = expected === undefined ? body.code !== 'NOT_LOGGED_IN' : body.code === expected;
        if (!isRight) wrong.push(`${name} for caller ${index}: ${body.code}`);
      }
    expect(wrong).toEqual([]);
  });

  it('refuses a second ADMIN what is for the first admin alone', async () => {
    await using app = await testApp();
    const second = await app.asUser('second', { role: 'ADMIN' });
    expect((await second.call('PUT', '/api/user/unlock/x')).body.code).toBe('FORBIDDEN');
  });
});
