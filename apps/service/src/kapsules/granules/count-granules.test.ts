import type { FieldFilter } from '@kaptain/contract';
import { beforeAll, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';

const count = (caller: Caller, id: string, query = '') =>
  caller.call('GET', `/api/kapsule/${id}/granules/count${query}`);

const LARGE = 21_000;
const shared = appOfFile();
/** A kapsule so large that pages stop counting and scans wait for each other; the tests only read it. */
let id: string;
beforeAll(async () => {
  const { store } = shared.app;
  id = (await addKapsule(store, 'Large')).id;
  const rows = Array.from({ length: LARGE }, (_, n) => ({
    key: `K${n}`,
    user: 'x',
    data: { comment: n % 21 === 0 ? 'odd' : 'EVEN', amount: n },
  }));
  await store.granules.bulkUpsert(id, rows);
});

it('is exact where a page stops counting, and as its filter says', async () => {
  const { admin } = shared;
  expect((await count(admin, id)).body).toEqual({ total: LARGE });
  expect((await count(admin, id, '?q=even')).body).toEqual({ total: 20_000 });
  expect((await count(admin, id, '?q=even&reloaded=true')).body).toEqual({ total: 0 });
  expect((await count(admin, id, '?deleted=true')).body).toEqual({ total: 0 });
  expect((await count(admin, id, '?reloaded=perhaps')).status).toBe(400);
});

it('is for those who may read the kapsule; deleted granules only for ADMINs', async () => {
  const { app } = shared;
  const [reader, stranger] = [await app.asUser('rita'), await app.asUser('otto')];
  const kapsule = await addKapsule(app.store, 'Shared');
  await grant(app.store, 'rita', ['READ'], [kapsule]);
  expect((await count(app.asNobody, kapsule.id)).status).toBe(401);
  expect((await count(stranger, kapsule.id)).status).toBe(404);
  expect((await count(reader, kapsule.id)).body).toEqual({ total: 0 });
  expect((await count(reader, kapsule.id, '?deleted=true')).status).toBe(403);
});

it('runs at most twice at a time for one user, and gives its permits back', async () => {
  const { admin } = shared;
  const statuses = (await Promise.all(Array.from({ length: 8 }, () => count(admin, id)))).map(
    ({ status }) => status,
  );
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect((await count(admin, id)).body).toEqual({ total: LARGE });
});

it('pages that scan it for the value of a field wait for each other, and are refused where too many wait', async () => {
  const { admin } = shared;
  const where: FieldFilter[] = [{ field: 'amount', is: 'between', from: LARGE - 1 }];
  const read = () =>
    admin.get(
      `/api/kapsule/${id}/sql/read/internal?sort=key&where=${encodeURIComponent(JSON.stringify(where))}`,
    );
  const flood = await Promise.all(Array.from({ length: 16 }, read));
  // One is read and ten wait; the others are refused, but for those that come when one has been answered.
  const answers = flood.filter(({ status }) => status === 200);
  const refused = flood.filter(({ status }) => status === 429);
  expect(answers.length).toBeGreaterThanOrEqual(11);
  expect(refused.length).toBe(16 - answers.length);
  expect(refused.length).toBeGreaterThan(0);
  // On a slow machine the time of a page may be over before the last granule, which the page then says.
  const isHonest = answers.map(({ body }) => body['total'] === 1 || body['isPartial'] === true);
  expect(isHonest).not.toContain(false);
  expect((await read()).status).toBe(200);
});
