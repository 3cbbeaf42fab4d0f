import { expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';

const count = (caller: Caller, id: string, query = '') =>
  caller.call('GET', `/api/kapsule/${id}/granules/count${query}`);

it('is exact where a page stops counting, and as its filter says', async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  const { id } = await addKapsule(app.store, 'Large');
  const rows = Array.from({ length: 12_000 }, (_, place) => ({
    key: `K${place}`,
    user: 'x',
    data: { Comment: `line\nbreak ${place % 12 === 0 ? 'odd' : 'EVEN'}` },
  }));
  await app.store.granules.bulkUpsert(id, rows);
  expect((await count(admin, id)).body).toEqual({ total: 12_000 });
  expect((await count(admin, id, '?q=even')).body).toEqual({ total: 11_000 });
  expect((await count(admin, id, '?q=even&reloaded=true')).body).toEqual({ total: 0 });
  expect((await count(admin, id, '?deleted=true')).body).toEqual({ total: 0 });
  expect((await count(admin, id, '?reloaded=perhaps')).status).toBe(400);
});

it('is for those who may read the kapsule; deleted granules only for ADMINs', async () => {
  await using app = await testApp();
  const [reader, stranger] = [await app.asUser('rita'), await app.asUser('otto')];
  const kapsule = await addKapsule(app.store, 'Shared');
  await grant(app.store, 'rita', ['READ'], [kapsule]);
  expect((await count(app.asNobody, kapsule.id)).status).toBe(401);
  expect((await count(stranger, kapsule.id)).status).toBe(404);
  expect((await count(reader, kapsule.id)).body).toEqual({ total: 0 });
  expect((await count(reader, kapsule.id, '?deleted=true')).status).toBe(403);
});

it('runs at most twice at a time for one user, and gives its permits back', async () => {
  await using app = await testApp();
  const admin = await app.asAdmin();
  const { id } = await addKapsule(app.store, 'Flooded');
  const rows = Array.from({ length: 5000 }, (_, place) => ({ key: `K${place}`, user: 'x', data: {} }));
  await app.store.granules.bulkUpsert(id, rows);
  const statuses = (await Promise.all(Array.from({ length: 20 }, () => count(admin, id)))).map(
    ({ status }) => status,
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await count(admin, id)).body).toEqual({ total: 5000 });
});
