import { limits } from '@kaptain/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

describe('saved views', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await testApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('belong to one user and one kapsule, and are for those who may read it', async () => {
    const [one, two] = [await addKapsule(app.store, 'One'), await addKapsule(app.store, 'Two')];
    const [otto, vera] = [await app.asUser('otto'), await app.asUser('vera')];
    const group = await grant(app.store, 'otto', ['READ'], [one, two]);
    const path = `/api/kapsule/${one.id}/views`;
    expect((await app.asNobody.get(path)).status).toBe(401);
    expect((await vera.get(path)).status).toBe(404);
    const save = (name: string, query: string) => otto.call('PUT', path, { body: { name, query } });
    const { body } = await save('Late', 'q=late');
    expect(body).toEqual({ _id: expect.any(String), name: 'Late', query: 'q=late' });
    await save('all', '');
    expect((await save('LATE', 'q=later')).body).toMatchObject({ _id: body['_id'], name: 'LATE' });
    const names = async (of: typeof otto, at = path) =>
      ((await of.get(at)).body as unknown as { name: string }[]).map(({ name }) => name);
    expect(await names(otto)).toEqual(['all', 'LATE']);
    expect(await names(otto, `/api/kapsule/${two.id}/views`)).toEqual([]);
    const admin = await app.asAdmin();
    expect(await names(admin)).toEqual([]);
    expect((await admin.call('DELETE', `${path}/${String(body['_id'])}`)).status).toBe(404);
    expect((await otto.call('DELETE', `/api/kapsule/${two.id}/views/${String(body['_id'])}`)).status).toBe(
      404,
    );
    expect((await otto.call('DELETE', `${path}/${String(body['_id'])}`)).body).toEqual({ status: 'success' });
    expect(await names(otto)).toEqual(['all']);
    await app.store.groups.remove(group);
    expect((await otto.get(path)).status).toBe(404);
  });

  it('are limited in number, saved once by parallel requests, and gone with their kapsule or user', async () => {
    const kapsule = await addKapsule(app.store, 'Many');
    const [admin, ruth] = [await app.asAdmin(), await app.asUser('ruth', { role: 'ADMIN' })];
    const path = `/api/kapsule/${kapsule.id}/views`;
    const save = (of: typeof admin, name: string) => of.call('PUT', path, { body: { name, query: '' } });
    const parallel = await Promise.all(Array.from({ length: 5 }, () => save(ruth, 'same')));
    expect(new Set(parallel.map(({ body }) => body['_id'])).size).toBe(1);
    for (let n = 0; n < limits.viewsPerKapsule; n += 1) expect((await save(admin, `v${n}`)).status).toBe(200);
    expect((await save(admin, 'one more')).status).toBe(409);
    expect((await save(admin, 'v0')).status).toBe(200);
    const of = async () => (await app.store.views.findBy('kapsuleId', kapsule.id)).length;
    expect(await of()).toBe(limits.viewsPerKapsule + 1);
    const [user] = await app.store.users.findBy('nameKey', 'ruth');
    expect((await admin.call('DELETE', `/api/user/${user?.id}`)).status).toBe(200);
    expect(await of()).toBe(limits.viewsPerKapsule);
    // A kapsule that is restored has its views.
    await admin.call('DELETE', '/api/kapsule/sql', { body: { kapsuleIds: [kapsule.id] } });
    expect(await of()).toBe(limits.viewsPerKapsule);
    await admin.call('DELETE', `/api/kapsule/deleted/${kapsule.id}`);
    expect(await of()).toBe(0);
  });
});
