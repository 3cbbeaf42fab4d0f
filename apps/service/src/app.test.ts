import { api, type Route } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { testApp } from './testing/test-app.ts';

/** What later parts of the product bring; this list only ever gets shorter. */
const notYetServed = (['settings'] as const)
  .flatMap((noun) => Object.keys(api[noun]).map((name) => `${noun}.${name}`))
  .filter((name) => name !== 'settings.get');

const routes = Object.entries(api).flatMap(([noun, calls]) =>
  Object.entries<Route>(calls).map(([name, route]) => ({ name: `${noun}.${name}`, route })),
);

describe('the registry', () => {
  it('says exactly which calls of the contract are not built yet', async () => {
    await using app = await testApp();
    expect(app.notYetServed.toSorted()).toEqual(notYetServed.toSorted());
  });

  it('answers those with 501 to whoever might call them, whatever the body', async () => {
    await using app = await testApp({ settings: { apiKey: true } });
    const admin = await app.asAdmin();
    for (const { name, route } of routes.filter((entry) => app.notYetServed.includes(entry.name))) {
      const headers = { 'content-type': 'multipart/form-data; boundary=x' };
      const answer = await admin.call(route.method, route.path.replace(/:\w+/g, 'x'), {
        body: '--x--',
        headers,
      });
      expect([name, answer.status, answer.body.code]).toEqual([name, 501, 'NOT_YET_SERVED']);
    }
  });

  it('lets nobody, a USER and an ADMIN make the calls their access allows, and no others', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const refused = {
      everyone: [undefined, undefined, undefined],
      loggedIn: ['NOT_LOGGED_IN', undefined, undefined],
      dataApi: ['NOT_LOGGED_IN', undefined, undefined],
      admin: ['NOT_LOGGED_IN', 'FORBIDDEN', undefined],
      adminWithApiKeys: ['NOT_LOGGED_IN', 'FORBIDDEN', 'API_KEYS_OFF'],
      firstAdmin: ['NOT_LOGGED_IN', 'FORBIDDEN', undefined],
    } as const;
    const wrong: string[] = [];
    for (const { name, route } of routes.filter((entry) => entry.name !== 'session.logout'))
      for (const [index, caller] of [app.asNobody, vera, admin].entries()) {
        const { body } = await caller.call(route.method, route.path.replace(/:\w+/g, 'x'));
        const expected = refused[route.access][index];
        const isRight = expected === undefined ? body.code !== 'NOT_LOGGED_IN' : body.code === expected;
        if (!isRight) wrong.push(`${name} for caller ${index}: ${body.code}`);
      }
    expect(wrong).toEqual([]);
  });

  it('gives a second ADMIN no share in what is for the first one alone', async () => {
    await using app = await testApp();
    const second = await app.asUser('second', { role: 'ADMIN' });
    expect((await second.call('PUT', '/api/user/unlock/x')).body.code).toBe('FORBIDDEN');
  });
});
