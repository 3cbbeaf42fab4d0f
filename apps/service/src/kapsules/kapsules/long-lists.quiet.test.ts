import { foldName, newId } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { delaysBeside, drained } from '../../testing/others-beside.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

/** Of 1,000 fields with long names: about 0.3 MiB each. */
const KAPSULES = sized(450, 100);
const USERS = sized(20_000, 3_000);

let app: TestApp;
let url = '';
let tokens: Record<'admin' | 'una' | 'vera', string | undefined>;

beforeAll(async () => {
  // Checking an answer against the contract blocks the event loop itself.
  app = await testApp({ areAnswersChecked: false });
  const { store } = app;
  tokens = {
    admin: (await app.asAdmin()).token,
    una: (await app.asUser('una')).token,
    vera: (await app.asUser('vera')).token,
  };
  const fields = Array.from({ length: 1000 }, (_, n) => ({
    _id: `${n}`.padStart(24, '0'),
    name: `${n}`.padStart(250, 'n'),
    type: 'text' as const,
  }));
  const kapsules = [];
  for (let n = 0; n < KAPSULES; n++) kapsules.push(await addKapsule(store, `large ${n}`, { fields }));
  await grant(store, 'una', ['READ'], kapsules);
  const [vera] = await store.users.findBy('nameKey', 'vera');
  if (!vera) throw new Error('There is no vera.');
  await store.transaction(async (unit) => {
    for (let n = 0; n < USERS; n++) {
      const username = `person ${n}`;
      await unit.users.insert({ ...vera, id: newId(), username, nameKey: foldName(username) });
    }
  });
  url = await app.http.listen({ host: '127.0.0.1', port: 0 });
}, 300_000);
afterAll(() => app[Symbol.asyncDispose]());

/** A change of the store, so that no answer comes from the cache. */
const touched = async () => {
  const [user] = await app.store.users.findBy('nameKey', 'vera');
  if (user) await app.store.users.patch(user.id, { updatedAt: new Date().toISOString() });
};

describe('a list of many megabytes leaves the others their turns', () => {
  const lists = [
    ['the kapsules of an ADMIN', '/api/kapsule', 'admin'],
    ['the kapsules of a USER', '/api/kapsule', 'una'],
    ['the kapsules without fields', '/api/kapsule?withoutFields=true', 'admin'],
    ['the users', '/api/user/list', 'admin'],
    ['the groups', '/api/group/list', 'admin'],
  ] as const;
  // With few people the other lists are too short to be measured.
  it.each(lists.slice(0, sized(lists.length, 2)))(
    '%s',
    async (_, path, who) => {
      await touched();
      const other = () => drained(url, '/api/user/status', undefined);
      const heavy = async () => {
        // From the database, and then from the cache, four at once.
        for (let round = 0; round < 2; round++)
          await Promise.all([1, 2, 3, 4].map(() => drained(url, path, tokens[who])));
      };
      expect(await delaysBeside({ other, heavy })).toEqual([]);
    },
    120_000,
  );
});

it('without fields, a list of kapsules is short and counts them', async () => {
  const [whole, short] = await Promise.all(
    ['', '?withoutFields=true'].map((query) => drained(url, `/api/kapsule${query}`, tokens.una)),
  );
  expect(whole?.bytes).toBeGreaterThan(KAPSULES * 250_000);
  expect(short?.bytes).toBeLessThan(KAPSULES * 1000);
  const headers = { authorization: `Bearer ${tokens.una}` };
  const list = (await (await fetch(`${url}/api/kapsule?withoutFields=true`, { headers })).json()) as object[];
  expect(list[0]).toMatchObject({ name: 'large 0', fields: [], fieldCount: 1000 });
  const all = (await (await fetch(`${url}/api/kapsule`, { headers })).json()) as { fields: object[] }[];
  expect(all.map(({ fields }) => fields.length)).toEqual(Array.from({ length: KAPSULES }, () => 1000));
});
