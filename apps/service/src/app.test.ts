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

  it('refuses an anonymous caller, a USER and an ADMIN the calls beyond their access, whatever else is wrong with them', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const refused = {
      everyone: [undefined, undefined, undefined],
      loggedIn: ['NOT_LOGGED_IN', undefined, undefined],
      loggedInOrKey: ['NOT_LOGGED_IN', undefined, undefined],
      loggedInOrExtension: ['NOT_LOGGED_IN', undefined, undefined],
      dataApi: ['NOT_LOGGED_IN', undefined, undefined],
      extension: ['NOT_LOGGED_IN', 'FORBIDDEN', 'FORBIDDEN'],
      admin: ['NOT_LOGGED_IN', 'FORBIDDEN', undefined],
      adminWithApiKeys: ['NOT_LOGGED_IN', 'FORBIDDEN', 'API_KEYS_OFF'],
      firstAdmin: ['NOT_LOGGED_IN', 'FORBIDDEN', undefined],
    } as const;
    const wrong: string[] = [];
    // The calls that are allowed are made by the access matrix.
    for (const { name, route } of routes)
      for (const [index, caller] of [app.asNobody, vera, admin].entries()) {
        const expected = refused[route.access][index];
        if (expected === undefined) continue;
        const { body } = await caller.call(route.method, route.path.replace(/:\w+/g, 'x'));
        if (body.code !== expected) wrong.push(`${name} for caller ${index}: ${body.code}`);
      }
    expect(wrong).toEqual([]);
  });

  it('refuses a second ADMIN what is for the first admin alone', async () => {
    await using app = await testApp();
    const second = await app.asUser('second', { role: 'ADMIN' });
    expect((await second.call('PUT', '/api/user/unlock/x')).body.code).toBe('FORBIDDEN');
  });
});
