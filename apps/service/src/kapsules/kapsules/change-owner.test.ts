import { describe, expect, it } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const idOf = async (app: TestApp, nameKey: string) =>
  (await app.store.users.findBy('nameKey', nameKey))[0]?.id ?? 'missing';
const namesOf = async (caller: Caller) => {
  const { text } = await caller.get('/api/kapsule');
  return (JSON.parse(text) as { name: string }[]).map(({ name }) => name).sort();
};
const give = (caller: Caller, kapsuleIds: string[], userId: string) =>
  caller.call('PUT', '/api/kapsule/owner', { body: { kapsuleIds, userId } });

async function cast(app: TestApp) {
  const [admin, vera, otto] = [await app.asAdmin(), await app.asUser('vera'), await app.asUser('otto')];
  const [sales, stock] = [
    await addKapsule(app.store, 'Sales', { owner: 'vera' }),
    await addKapsule(app.store, 'Stock', { owner: 'vera' }),
  ];
  return {
    admin,
    vera,
    otto,
    sales,
    stock,
    ottoId: await idOf(app, 'otto'),
    veraId: await idOf(app, 'vera'),
  };
}
const entriesOf = async (app: TestApp, action: string) =>
  (await app.store.audit.all()).filter((entry) => entry.action === action);

describe('a change of owner', () => {
  it('is for ADMINs alone: neither the owner nor a group with DELETE may do it', async () => {
    await using app = await testApp();
    const { vera, otto, sales, ottoId } = await cast(app);
    await grant(app.store, 'otto', ['READ', 'DELETE'], [sales]);
    expect((await give(app.asNobody, [sales.id], ottoId)).status).toBe(401);
    expect((await give(vera, [sales.id], ottoId)).status).toBe(403);
    expect((await give(otto, [sales.id], ottoId)).status).toBe(403);
    expect((await app.store.kapsules.get(sales.id))?.owner).toBe('vera');
  });

  it('takes the rights from the old owner and gives them to the new one at once, with an audit entry each', async () => {
    await using app = await testApp();
    const { admin, vera, otto, sales, stock, ottoId } = await cast(app);
    expect(await namesOf(vera)).toEqual(['Sales', 'Stock']);
    expect((await give(admin, [sales.id, sales.id], ottoId)).body).toEqual({ status: 'success' });
    expect([await namesOf(vera), await namesOf(otto)]).toEqual([['Stock'], ['Sales']]);
    expect((await vera.get(`/api/kapsule/${sales.id}`)).status).toBe(404);
    expect((await otto.get(`/api/kapsule/${sales.id}`)).body).toMatchObject({
      owner: 'otto',
      ownerId: ottoId,
    });
    expect((await app.store.kapsules.get(stock.id))?.owner).toBe('vera');
    expect(await entriesOf(app, 'kapsule.owner')).toEqual([
      expect.objectContaining({
        actor: 'admin',
        target: `kapsule:${sales.id}`,
        before: { owner: 'vera' },
        after: { owner: 'otto' },
      }),
    ]);
    // The same owner again is no change.
    await give(admin, [sales.id], ottoId);
    expect(await entriesOf(app, 'kapsule.owner')).toHaveLength(1);
  });

  it('changes nothing when a kapsule or the new owner does not exist', async () => {
    await using app = await testApp();
    const { admin, sales, ottoId } = await cast(app);
    expect((await give(admin, [sales.id, 'f'.repeat(24)], ottoId)).status).toBe(404);
    expect((await give(admin, [sales.id], 'f'.repeat(24))).body).toMatchObject({
      statusCode: 404,
      message: 'The new owner does not exist.',
    });
    expect((await give(admin, [], ottoId)).status).toBe(400);
    expect((await app.store.kapsules.get(sales.id))?.owner).toBe('vera');
    expect(await entriesOf(app, 'kapsule.owner')).toEqual([]);
  });
});

describe('the deletion of an owner', () => {
  const remove = (caller: Caller, id: string, query = '') => caller.call('DELETE', `/api/user/${id}${query}`);

  it('gives their kapsules to the new owner in the same step', async () => {
    await using app = await testApp();
    const { admin, otto, veraId, ottoId } = await cast(app);
    expect((await remove(admin, veraId, `?newOwner=${ottoId}`)).status).toBe(200);
    expect(await namesOf(otto)).toEqual(['Sales', 'Stock']);
    expect(await entriesOf(app, 'kapsule.owner')).toHaveLength(2);
    expect(await entriesOf(app, 'user.remove')).toEqual([
      expect.objectContaining({ before: expect.objectContaining({ kapsules: ['Sales', 'Stock'] }) }),
    ]);
  });

  it('is refused as a whole when the new owner is missing or the deleted user', async () => {
    await using app = await testApp();
    const { admin, vera, veraId } = await cast(app);
    expect((await remove(admin, veraId, `?newOwner=${'f'.repeat(24)}`)).status).toBe(404);
    expect((await remove(admin, veraId, `?newOwner=${veraId}`)).status).toBe(409);
    expect(await namesOf(vera)).toEqual(['Sales', 'Stock']);
    expect(await app.store.users.get(veraId)).toBeDefined();
    expect(await entriesOf(app, 'kapsule.owner')).toEqual([]);
  });

  it('leaves the kapsules without an owner when none is named; an ADMIN gives them away later', async () => {
    await using app = await testApp();
    const { admin, otto, veraId, ottoId, sales } = await cast(app);
    await remove(admin, veraId);
    expect((await admin.get(`/api/kapsule/${sales.id}`)).body).toMatchObject({
      owner: 'vera',
      ownerId: veraId,
    });
    // An account of the same name is not the old owner.
    const again = await app.asUser('vera');
    expect(await namesOf(again)).toEqual([]);
    await give(admin, [sales.id], ottoId);
    expect(await namesOf(otto)).toEqual(['Sales']);
  });
});
