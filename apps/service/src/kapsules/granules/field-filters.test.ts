import type { FieldFilter, GranulePage } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

describe('filters by fields', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  async function filled(howMany = 30) {
    const kapsule = await addKapsule(app.store, `Sales ${Math.random()}`);
    await addGranules(app.store, kapsule, howMany);
    return { kapsule, path: `/api/kapsule/${kapsule.id}` };
  }
  const query = (where: FieldFilter[]) => `where=${encodeURIComponent(JSON.stringify(where))}`;
  const late: FieldFilter[] = [{ field: 'amount', is: 'between', from: 10, to: 12 }];

  it('leave the same granules in the list, the count and the export, for those who may read', async () => {
    const { kapsule, path } = await filled();
    const [admin, otto, vera] = [await app.asAdmin(), await app.asUser('otto'), await app.asUser('vera')];
    await grant(app.store, 'otto', ['READ'], [kapsule]);
    for (const caller of [admin, otto]) {
      const page = (await caller.get(`${path}/sql/read/internal?sort=key&${query(late)}`)).body;
      expect((page as unknown as GranulePage).data.map(({ key }) => key)).toEqual(['11', '12', '13']);
      expect(page).toMatchObject({ total: 3, totalIsExact: true, summary: { total: 30 } });
      expect((await caller.get(`${path}/granules/count?${query(late)}`)).body).toEqual({ total: 3 });
      const { text } = await caller.get(`${path}/export?format=csv&${query(late)}`);
      expect(text.trim().split(/\r?\n/)).toHaveLength(4);
    }
    for (const call of ['sql/read/internal?', 'granules/count?', 'export?format=csv&']) {
      expect((await vera.get(`${path}/${call}${query(late)}`)).status).toBe(404);
      expect((await app.asNobody.get(`${path}/${call}${query(late)}`)).status).toBe(401);
    }
  });

  it('combine with a search, and sort by a field', async () => {
    const { path } = await filled();
    const admin = await app.asAdmin();
    const keys = async (options: string) =>
      ((await admin.get(`${path}/sql/read/internal?${options}`)).body as unknown as GranulePage).data.map(
        ({ key }) => key,
      );
    const contains: FieldFilter[] = [{ field: 'comment', is: 'contains', text: 'T 2' }];
    expect(await keys(`sort=-field:amount&size=3&${query(contains)}`)).toEqual(['29', '28', '27']);
    expect(await keys(`sort=field:amount&size=2&page=2`)).toEqual(['3', '4']);
    expect(await keys(`q=comment%201&${query(late)}&sort=key`)).toEqual(['11', '12', '13']);
    expect(await keys(query([{ field: 'comment', is: 'empty' }]))).toEqual([]);
  });

  it('delete and restore what they leave, if it is as much as the caller saw', async () => {
    const { kapsule, path } = await filled();
    const admin = await app.asAdmin();
    const remove = (expected: number) =>
      admin.call('DELETE', `${path}/granules`, { body: { where: late, expected } });
    expect((await remove(4)).status).toBe(409);
    expect((await remove(3)).body).toEqual({ deleted: 3 });
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(27);
    const restore = (where: FieldFilter[], expected: number) =>
      admin.post(`${path}/granules/restore-matching`, { where, expected });
    expect((await restore([{ field: 'amount', is: 'between', to: 11 }], 2)).body).toEqual({ restored: 2 });
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(29);
    const actions = (await actionsOn(app.store, 'kapsule', kapsule.id)).map(({ action }) => action);
    expect(actions).toEqual(['granule.remove', 'granule.restore']);
  });

  it('name only fields of the kapsule: another value of the same data can not be guessed', async () => {
    const { kapsule, path } = await filled(1);
    await app.store.granules.upsert(kapsule.id, [{ key: 's', user: 'u', data: { secret: 'swordfish' } }]);
    const admin = await app.asAdmin();
    const guess: FieldFilter[] = [{ field: 'secret', is: 'contains', text: 'sword' }];
    for (const call of [`sql/read/internal?${query(guess)}`, `sql/read/internal?sort=field:secret`]) {
      const { status, body } = await admin.get(`${path}/${call}`);
      expect([status, body.message]).toEqual([400, 'There is no field "secret".']);
    }
    const body = { where: guess, expected: 1 };
    expect((await admin.call('DELETE', `${path}/granules`, { body })).status).toBe(400);
  });
});
