import type { Granule, GranulePage } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { addGranules, addKapsule, grant } from '../../testing/kapsules.ts';

const pageOf = (body: unknown) => body as GranulePage;
const keys = (body: unknown) => pageOf(body).data.map(({ key }) => key);

const shared = appOfFile();
let kapsules = 0;

/** A kapsule with granules, in no group: of all users only ADMINs may read it. */
async function world(howMany = 5) {
  const { app, admin } = shared;
  const kapsule = await addKapsule(app.store, `Sales ${++kapsules}`);
  const ids = await addGranules(app.store, kapsule, howMany);
  return { app, admin, kapsule, ids, path: `/api/kapsule/${kapsule.id}/sql/read/internal` };
}

describe('the granules of a kapsule', () => {
  it('are for those who may read it', async () => {
    const { app, kapsule, path, admin } = await world();
    const [vera, otto] = [await app.asUser('vera'), await app.asUser('otto')];
    await grant(app.store, 'otto', ['READ'], [kapsule]);
    expect((await app.asNobody.get(path)).status).toBe(401);
    expect((await vera.get(path)).status).toBe(404);
    expect((await otto.get(path)).status).toBe(200);
    expect((await admin.get(path)).status).toBe(200);
  });

  it('are one array without options, of any length', async () => {
    const { path, admin } = await world(5000);
    const { headers, text } = await admin.get(`${path}?sqlType=kaptaindb&tableName=kaptaindb`);
    const list = JSON.parse(text) as Granule[];
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(headers['cache-control']).toBe('no-store');
    expect(list).toHaveLength(5000);
    expect(list[4999]).toEqual({
      _id: expect.any(String),
      user: 'UserDirectory=TEST; UserId=vera',
      key: '5000',
      data: { comment: 'comment 5000', amount: 4999 },
      reloaded: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      version: 1,
    });
  });

  it('are an empty list when there are none', async () => {
    const { path, admin } = await world(0);
    expect(JSON.parse((await admin.get(path)).text)).toEqual([]);
  });

  it('are pages with any option, with total and summary', async () => {
    const { path, admin } = await world(250);
    for (const option of ['page=1', 'size=100', 'sort=key', 'reloaded=false', 'q=comment', 'deleted=false']) {
      const { body } = await admin.get(`${path}?${option}`);
      expect([option, pageOf(body).data.length, pageOf(body).total]).toEqual([option, 100, 250]);
      expect(pageOf(body).summary).toEqual({ total: 250, reloaded: 0, notReloaded: 250 });
    }
    expect(keys((await admin.get(`${path}?page=3&size=100&sort=-createdAt`)).body)).toHaveLength(50);
    expect(keys((await admin.get(`${path}?size=3&sort=-key`)).body)).toEqual(['99', '98', '97']);
    expect(keys((await admin.get(`${path}?q=COMMENT%2025&sort=key`)).body)).toEqual(['25', '250']);
  });

  it('refuse unknown options', async () => {
    const { path, admin } = await world(1);
    for (const query of ['page=0', 'page=x', 'size=1001', 'size=-1', 'sort=data', 'reloaded=yes', 'q=%00'])
      expect([query, (await admin.get(`${path}?${query}`)).status]).toEqual([query, 400]);
  });

  it('refuse another binding than that of the kapsule', async () => {
    const { path, admin } = await world(1);
    for (const query of ['sqlType=mssql', 'tableName=users', "tableName=kaptaindb'%20OR%201=1--", 'sqlType='])
      expect([query, (await admin.get(`${path}?${query}`)).body.code]).toEqual([query, 'BINDING_MISMATCH']);
  });

  it('of a database that is not connected are an error, not an empty list', async () => {
    const { app, admin } = shared;
    const { id } = await addKapsule(app.store, 'There', { database: 'oracle', tableName: 'X' });
    const { status, body } = await admin.get(`/api/kapsule/${id}/sql/read/internal`);
    expect([status, body.message]).toEqual([503, 'oracle is not set up in the settings.']);
  });

  it('that are deleted are listed for ADMINs alone', async () => {
    const { app, kapsule, ids, path, admin } = await world(3);
    const vera = await app.asUser('vera');
    await grant(app.store, 'vera', ['READ', 'DELETE'], [kapsule]);
    await app.store.granules.removeMany(ids.slice(0, 1), 'otto');
    expect((await vera.get(`${path}?deleted=true`)).body.code).toBe('FORBIDDEN');
    const { data } = pageOf((await admin.get(`${path}?deleted=true`)).body);
    expect(data).toMatchObject([{ key: '1', deletedBy: 'otto', deletedAt: expect.any(String) }]);
    expect(keys((await admin.get(`${path}?page=1`)).body)).toHaveLength(2);
  });
});

describe('the history of a granule', () => {
  it('shows its states, newest first, to those who may read its kapsule', async () => {
    const { app, kapsule, ids, admin } = await world(2);
    const vera = await app.asUser('vera');
    await app.store.granules.upsert(kapsule.id, [{ key: '1', user: 'otto', data: { comment: 'new' } }]);
    const path = `/api/kapsule/${kapsule.id}/granules/${ids[0]}/history`;
    expect((await app.asNobody.get(path)).status).toBe(401);
    expect((await vera.get(path)).status).toBe(404);
    const { body } = await admin.get(path);
    expect(body).toMatchObject([
      { version: 2, user: 'otto', data: { comment: 'new' } },
      { version: 1, data: { comment: 'comment 1' } },
    ]);
  });

  it('is not found through another kapsule, nor for a USER when the granule is deleted', async () => {
    const { app, kapsule, ids, admin } = await world(1);
    const vera = await app.asUser('vera');
    const other = await addKapsule(app.store, 'Other', { owner: 'vera' });
    const history = (kapsuleId: string) => `/api/kapsule/${kapsuleId}/granules/${ids[0]}/history`;
    expect((await vera.get(history(other.id))).status).toBe(404);
    await grant(app.store, 'vera', ['READ'], [kapsule]);
    expect((await vera.get(history(kapsule.id))).status).toBe(200);
    await app.store.granules.removeMany(ids, 'otto');
    expect((await vera.get(history(kapsule.id))).status).toBe(404);
    expect((await admin.get(history(kapsule.id))).status).toBe(200);
  });
});

describe('the changes per day', () => {
  it('are counted for those who may read the kapsule', async () => {
    const { app, kapsule, admin } = await world(3);
    const path = `/api/kapsule/${kapsule.id}/changes`;
    expect((await (await app.asUser('vera')).get(path)).status).toBe(404);
    const { body } = await admin.get(path);
    expect(body).toEqual([{ day: new Date().toISOString().slice(0, 10), changes: 3 }]);
  });
});
