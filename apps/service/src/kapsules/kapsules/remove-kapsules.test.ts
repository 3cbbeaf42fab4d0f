import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { actionsOn, addGranules, addKapsule, grant } from '../../testing/kapsules.ts';
import { testApp } from '../../testing/test-app.ts';

const path = '/api/kapsule/sql';

/** For tests that look at their own kapsules alone. */
const shared = appOfFile();

describe('deleting kapsules', () => {
  it('is refused without a login', async () => {
    const { app } = shared;
    const { id } = await addKapsule(app.store, 'Sales');
    expect((await app.asNobody.call('DELETE', path, { body: { kapsuleIds: [id] } })).status).toBe(401);
  });

  it('deletes nothing when one may not be deleted, and lists the names, or ids where the caller can not read', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const mine = await addKapsule(app.store, 'Mine', { owner: 'vera' });
    const readOnly = await addKapsule(app.store, 'Read "only"');
    const hidden = await addKapsule(app.store, 'Hidden');
    await grant(app.store, 'vera', ['READ'], [readOnly]);
    const kapsuleIds = [mine.id, readOnly.id, hidden.id, 'unknown'];
    const { status, body } = await vera.call('DELETE', path, { body: { kapsuleIds, deleteTable: false } });
    expect([status, body.code]).toEqual([403, 'DELETE_REFUSED']);
    expect(JSON.parse(body.message)).toEqual(['Read "only"', hidden.id, 'unknown']);
    expect(await app.store.kapsules.all()).toHaveLength(3);
  });

  it('removes them from lists and groups, each audited, and keeps the granules for a restore', async () => {
    await using app = await testApp();
    const vera = await app.asUser('vera');
    const [one, two] = [await addKapsule(app.store, 'One'), await addKapsule(app.store, 'Two')];
    const groupId = await grant(app.store, 'vera', ['DELETE'], [one, two]);
    await addGranules(app.store, one, 3);
    const { body } = await vera.call('DELETE', path, { body: { kapsuleIds: [one.id, one.id] } });
    expect(body).toEqual({ deleted: 1 });
    expect((await app.store.kapsules.all()).map(({ name }) => name)).toEqual(['Two']);
    expect((await app.store.groups.get(groupId))?.kapsuleIds).toEqual([two.id]);
    expect((await app.store.granules.counts(one.id)).total).toBe(3);
    const [entry] = await actionsOn(app.store, 'kapsule', one.id);
    expect(entry).toMatchObject({
      action: 'kapsule.remove',
      before: { name: 'One', groups: [expect.any(String)] },
      after: { restorableUntil: expect.any(String) },
    });
    expect(await actionsOn(app.store, 'group', groupId)).toMatchObject([
      { after: { kapsuleRemoved: 'One' } },
    ]);
  });

  it('answers 404 to an ADMIN for an unknown id', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Sales');
    const { status } = await admin.call('DELETE', path, { body: { kapsuleIds: [id, 'unknown'] } });
    expect(status).toBe(404);
    expect(await app.store.kapsules.get(id)).toMatchObject({ name: 'Sales' });
  });

  it('accepts only a boolean for deleteTable', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'Sales');
    for (const deleteTable of ['false', 'true', 0, 1, null, {}]) {
      const { status } = await admin.call('DELETE', path, { body: { kapsuleIds: [id], deleteTable } });
      expect([deleteTable, status]).toEqual([deleteTable, 400]);
    }
  });

  it('drops no table of a data source that is not set up, but deletes its kapsule without the table', async () => {
    const { app, admin } = shared;
    const here = await addKapsule(app.store, 'Here');
    const there = await addKapsule(app.store, 'There', { database: 'mssql', tableName: 'Comments' });
    const body = { kapsuleIds: [here.id, there.id], deleteTable: true };
    const answer = await admin.call('DELETE', path, { body });
    expect([answer.status, answer.body.message]).toEqual([
      503,
      'mssql is not set up in the settings. Please delete There without its table.',
    ]);
    for (const { id } of [here, there]) expect(await app.store.kapsules.get(id)).toBeTruthy();
    const alone = { body: { ...body, deleteTable: false } };
    expect((await admin.call('DELETE', path, alone)).body).toEqual({ deleted: 2 });
  });

  it('checks the rights inside the unit of work', async () => {
    const { app } = shared;
    const vera = await app.asUser('vera');
    const kapsule = await addKapsule(app.store, 'Sales');
    const groupId = await grant(app.store, 'vera', ['DELETE'], [kapsule]);
    const lost = app.store.groups.remove(groupId);
    const answer = await vera.call('DELETE', path, { body: { kapsuleIds: [kapsule.id] } });
    await lost;
    expect(answer.status).toBe(403);
  });
});
