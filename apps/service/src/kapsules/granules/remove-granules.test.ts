import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';

/** Changed in many steps. */
const GRANULES = 4000;
const path = '/api/kapsule/sql/granules';
const remove = (caller: Caller, body: object) => caller.call('DELETE', path, { body });

/** Each test has kapsules of its own. */
const shared = appOfFile();

describe('deleting granules', () => {
  it('is for those who may delete in every kapsule concerned; otherwise nothing is deleted', async () => {
    const { app } = shared;
    const vera = await app.asUser('vera');
    const [mine, readOnly] = [
      await addKapsule(app.store, 'Mine', { owner: 'vera' }),
      await addKapsule(app.store, 'Read'),
    ];
    const hidden = await addKapsule(app.store, 'Hidden');
    await grant(app.store, 'vera', ['READ'], [readOnly]);
    const ids = [await addGranules(app.store, mine, 2), await addGranules(app.store, readOnly, 1)];
    const foreign = await addGranules(app.store, hidden, 1);
    expect((await remove(app.asNobody, { granuleIds: ids[0] })).status).toBe(401);
    for (const bad of [ids[1], foreign, ['unknown']])
      expect((await remove(vera, { granuleIds: [...(ids[0] ?? []), ...(bad ?? [])] })).body.code).toBe(
        'FORBIDDEN',
      );
    expect((await app.store.granules.counts(mine.id)).total).toBe(2);
    expect((await remove(vera, { granuleIds: [...(ids[0] ?? []), ...(ids[0] ?? [])] })).body).toEqual({
      deleted: 2,
    });
    expect((await remove(vera, { granuleIds: ids[0] })).body).toEqual({ deleted: 0 });
  });

  it('spans kapsules, keeps the history and is audited for each', async () => {
    const { app, admin } = shared;
    const [one, two] = [await addKapsule(app.store, 'One'), await addKapsule(app.store, 'Two')];
    const ids = [...(await addGranules(app.store, one, 2)), ...(await addGranules(app.store, two, 1))];
    expect((await remove(admin, { granuleIds: ids })).body).toEqual({ deleted: 3 });
    expect(await app.store.granules.get(ids[0] ?? '')).toMatchObject({ deletedBy: 'admin' });
    expect(await app.store.granules.history(ids[0] ?? '')).toHaveLength(1);
    expect(await actionsOn(app.store, 'kapsule', one.id)).toEqual([
      { action: 'granule.remove', before: { count: 2, granuleIds: ids.slice(0, 2) }, after: null },
    ]);
    expect(await actionsOn(app.store, 'kapsule', two.id)).toHaveLength(1);
  });

  it('audits exactly what a call has deleted or restored, and nothing when that is nothing', async () => {
    const { app, admin } = shared;
    const kapsule = await addKapsule(app.store, 'Audited');
    const ids = await addGranules(app.store, kapsule, 3);
    const restore = (granuleIds: readonly string[]) =>
      admin.post(`/api/kapsule/${kapsule.id}/granules/restore`, { granuleIds });
    await remove(admin, { granuleIds: ids.slice(0, 1) });
    for (const deleted of [2, 0])
      expect((await remove(admin, { granuleIds: ids })).body).toEqual({ deleted });
    await restore(ids.slice(2));
    for (const restored of [2, 0]) expect((await restore(ids)).body).toEqual({ restored });
    const first = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(first.map(({ before, after }) => before ?? after)).toEqual([
      { count: 1, granuleIds: ids.slice(0, 1) },
      { count: 2, granuleIds: ids.slice(1) },
      { count: 1, granuleIds: ids.slice(2) },
      { count: 2, granuleIds: ids.slice(0, 2) },
    ]);
  });

  it('refuses another binding, unknown ids of an ADMIN, and more than 10,000 ids', async () => {
    const { app, admin } = shared;
    const kapsule = await addKapsule(app.store, 'Refused');
    const granuleIds = await addGranules(app.store, kapsule, 1);
    const statusOf = async (body: object) => (await remove(admin, body)).status;
    expect(await statusOf({ granuleIds, sqlType: 'mssql', tableName: 'kaptaindb' })).toBe(400);
    expect(await statusOf({ granuleIds: [...granuleIds, 'f'.repeat(24)] })).toBe(404);
    expect(await statusOf({ granuleIds: Array.from({ length: 10_001 }, (_, i) => `${i}`) })).toBe(413);
    expect(await statusOf({ granuleIds: [] })).toBe(400);
    expect(await statusOf({ granuleIds: [{ $ne: 1 }] })).toBe(400);
    expect(await statusOf({ granuleIds, sqlType: 'kaptaindb', tableName: 'kaptaindb' })).toBe(200);
  });
});

describe('deleting all that match', () => {
  it('happens when they are as many as the caller saw, otherwise not at all', async () => {
    const { app } = shared;
    const [vera, otto] = [await app.asUser('vera'), await app.asUser('otto')];
    const kapsule = await addKapsule(app.store, 'All', { owner: 'vera' });
    await grant(app.store, 'otto', ['READ'], [kapsule]);
    await addGranules(app.store, kapsule, 30);
    const all = (caller: Caller, body: object) =>
      caller.call('DELETE', `/api/kapsule/${kapsule.id}/granules`, { body });
    expect((await all(app.asNobody, { expected: 30 })).status).toBe(401);
    expect((await all(otto, { expected: 30 })).status).toBe(403);
    for (const expected of [29, 31]) expect((await all(vera, { expected })).body.code).toBe('CONFLICT');
    expect((await all(vera, { expected: 250_001 })).status).toBe(413);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(30);
    expect((await all(vera, { q: 'COMMENT 2', expected: 11 })).body).toEqual({ deleted: 11 });
    expect((await all(vera, { reloaded: false, expected: 19 })).body).toEqual({ deleted: 19 });
    expect(
      (await actionsOn(app.store, 'kapsule', kapsule.id)).map(({ before }) => before?.['count']),
    ).toEqual([11, 19]);
  });
});

describe('deleting or restoring all that match, in steps', () => {
  /** Happens when the first step is stored. */
  async function afterFirstStep(kapsuleId: string, happens: () => Promise<unknown>): Promise<void> {
    const { store } = shared.app;
    while ((await actionsOn(store, 'kapsule', kapsuleId)).length === 0) await setImmediate();
    await happens();
  }

  it.each(['that match', 'that are named'])(
    '%s says how much is done when the right is lost meanwhile',
    async (which) => {
      const { app } = shared;
      const vera = await app.asUser('vera');
      const kapsule = await addKapsule(app.store, `Lost of those ${which}`);
      const group = await grant(app.store, 'vera', ['READ', 'DELETE'], [kapsule]);
      const granuleIds = await addGranules(app.store, kapsule, GRANULES);
      const [{ status, body }] = await Promise.all([
        which === 'that match'
          ? vera.call('DELETE', `/api/kapsule/${kapsule.id}/granules`, { body: { expected: GRANULES } })
          : remove(vera, { granuleIds }),
        afterFirstStep(kapsule.id, () => app.store.groups.patch(group, { authority: ['READ'] })),
      ]);
      const done = GRANULES - (await app.store.granules.counts(kapsule.id)).total;
      expect([status, body.code, body.details]).toEqual([403, 'FORBIDDEN', { done, of: GRANULES }]);
      expect(body.message).toBe(`Stopped after ${done} of ${GRANULES}: You may not do this.`);
      expect([done > 0, done < GRANULES]).toEqual([true, true]);
    },
  );

  it('says how much is restored when the session ends meanwhile', async () => {
    const { app } = shared;
    const eva = await app.asUser('eva', { role: 'ADMIN', isCreate: true });
    const kapsule = await addKapsule(app.store, 'Lost restored');
    const ids = await addGranules(app.store, kapsule, GRANULES);
    await app.store.granules.removeMany(ids, 'eva');
    const [user] = await app.store.users.findBy('nameKey', 'eva');
    const [session] = await app.store.sessions.findBy('userId', user?.id ?? '');
    const [{ body }] = await Promise.all([
      eva.post(`/api/kapsule/${kapsule.id}/granules/restore-matching`, { expected: GRANULES }),
      afterFirstStep(kapsule.id, () => app.store.sessions.remove(session?.id ?? '')),
    ]);
    const done = (await app.store.granules.counts(kapsule.id)).total;
    expect([body.code, body.details]).toEqual(['NOT_LOGGED_IN', { done, of: GRANULES }]);
    expect(body.message).toMatch(`Stopped after ${done} of ${GRANULES}: `);
  });
});

describe('restoring granules', () => {
  it('is for ADMINs, brings them back and is audited', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'Restored', { owner: 'vera' });
    const other = await addKapsule(app.store, 'Other');
    const granuleIds = await addGranules(app.store, kapsule, 2);
    await app.store.granules.removeMany(granuleIds, 'vera');
    const restore = (caller: Caller, id = kapsule.id) =>
      caller.post(`/api/kapsule/${id}/granules/restore`, { granuleIds });
    expect((await restore(app.asNobody)).status).toBe(401);
    expect((await restore(vera)).status).toBe(403);
    expect((await restore(admin, other.id)).status).toBe(404);
    expect((await restore(admin)).body).toEqual({ restored: 2 });
    expect((await restore(admin)).body).toEqual({ restored: 0 });
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(2);
    const [entry] = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(entry).toEqual({ action: 'granule.restore', before: null, after: { count: 2, granuleIds } });
  });
});

describe('restoring all that match', () => {
  it('is for ADMINs, happens when they are as many as the caller saw, and is audited', async () => {
    const { app, admin } = shared;
    const vera = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'All restored', { owner: 'vera' });
    const ids = await addGranules(app.store, kapsule, 30);
    await remove(admin, { granuleIds: ids });
    const all = (caller: Caller, body: object) =>
      caller.call('POST', `/api/kapsule/${kapsule.id}/granules/restore-matching`, { body });
    expect((await all(app.asNobody, { expected: 30 })).status).toBe(401);
    expect((await all(vera, { expected: 30 })).status).toBe(403);
    for (const expected of [29, 31]) expect((await all(admin, { expected })).body.code).toBe('CONFLICT');
    expect((await all(admin, { expected: 250_001 })).status).toBe(413);
    expect((await all(admin, { q: { $ne: 1 }, expected: 30 })).status).toBe(400);
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(0);
    expect((await all(admin, { q: 'COMMENT 2', expected: 11 })).body).toEqual({ restored: 11 });
    expect((await all(admin, { q: 'COMMENT 2', expected: 11 })).body.code).toBe('CONFLICT');
    expect((await all(admin, { expected: 19 })).body).toEqual({ restored: 19 });
    expect((await app.store.granules.counts(kapsule.id)).total).toBe(30);
    expect(
      (await actionsOn(app.store, 'kapsule', kapsule.id)).map(({ after }) => after?.['count'] ?? null),
    ).toEqual([null, 11, 19]);
  });

  it('happens once when two ADMINs ask for it at the same time', async () => {
    const { app, admin } = shared;
    const kapsule = await addKapsule(app.store, 'Restored once');
    await remove(admin, { granuleIds: await addGranules(app.store, kapsule, 200) });
    const body = { expected: 200 };
    const url = `/api/kapsule/${kapsule.id}/granules/restore-matching`;
    const answers = await Promise.all([1, 2, 3].map(() => admin.call('POST', url, { body })));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    const entries = await actionsOn(app.store, 'kapsule', kapsule.id);
    expect(entries.reduce((sum, { after }) => sum + Number(after?.['count'] ?? 0), 0)).toBe(200);
  });
});
