import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresqlBlock } from '../../../../../tools/test-servers/blocks.ts';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { connectTo } from '../../../../../tools/test-servers/postgres-client.ts';
import { sweepDeleted } from '../../platform/jobs/sweep-deleted.ts';
import type { Caller } from '../../testing/caller.ts';
import { actionsOn, addKapsule, addLargeGranules, grant } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { listenLocally } from '../../testing/raw-socket.ts';
import { slowReader } from '../../testing/slow-reader.ts';
import { kap, SourceApp } from '../../testing/source-app.ts';
import { testApp } from '../../testing/test-app.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

describe.runIf(hasPostgres())('deleting kapsules with their tables', () => {
  let source: SourceApp;
  let admin: Caller;
  let vera: Caller;
  const removeLater = (caller: Caller, id: string) =>
    caller.call('DELETE', '/api/kapsule/sql', {
      body: { kapsuleIds: [id], deleteTable: true },
    });
  const stateOf = async (id: string) => (await source.kapsule(admin, id))?.state;
  const isUsable = async (id: string) =>
    (
      await admin.call('PUT', `/api/kapsule/${id}/granules`, {
        body: { granules: [{ key: 'a', data: { note: 'b' } }] },
      })
    ).status;

  beforeAll(async () => {
    source = await SourceApp.start(await startPostgres(), postgresqlBlock, connectTo);
    admin = source.admin;
    vera = await source.app.asUser('vera', { isCreate: true });
  });
  afterAll(() => source?.stop());

  it('is refused when other tables refer to one, and the kapsule stays as it was', async () => {
    const id = await source.created(admin, kap('Parent', 'parent', ['note']));
    await source.sql('CREATE TABLE child (id text REFERENCES parent (id))');
    const refused = await source.remove(admin, [id], true);
    expect([refused.status, refused.body.code, refused.body.message]).toEqual([
      409,
      'CONFLICT',
      'PostgreSQL: Other tables or views refer to this table. Parent was not deleted. It can be deleted without its table parent.',
    ]);
    expect([await stateOf(id), await isUsable(id)]).toEqual([undefined, 200]);
    expect((await source.remove(admin, [id], false)).body).toEqual({ deleted: 1 });
    expect((await admin.call('DELETE', `/api/kapsule/deleted/${id}`)).status).toBe(200);
    expect(await source.columnsOf('parent')).toEqual(['id', 'note']);
  });

  it('is refused without the right to drop, and the kapsule stays as it was', async () => {
    const id = await source.created(admin, kap('Kept', 'kept', ['note']));
    await source.sql(`CREATE FUNCTION keep() RETURNS event_trigger LANGUAGE plpgsql AS
      'BEGIN RAISE EXCEPTION USING ERRCODE = ''42501'', MESSAGE = ''no''; END'`);
    await source.sql('CREATE EVENT TRIGGER keep ON sql_drop EXECUTE FUNCTION keep()');
    const refused = await source.remove(admin, [id], true);
    await source.sql('DROP EVENT TRIGGER keep');
    expect(refused.body.message).toContain('lacks a privilege');
    expect([await stateOf(id), await isUsable(id)]).toEqual([undefined, 200]);
    expect((await source.remove(admin, [id], true)).body).toEqual({ deleted: 1 });
    expect(await source.columnsOf('kept')).toEqual([]);
  });

  it('lists those deleted before the one that was refused, and leaves those after it as they were', async () => {
    const [first, parent, last] = [
      await source.created(admin, kap('First', 'first_one', ['note'])),
      await source.created(admin, kap('Again', 'parent', ['note'])),
      await source.created(admin, kap('Last', 'last_one', ['note'])),
    ];
    const refused = await source.remove(admin, [first, parent, last], true);
    expect([refused.status, refused.body.message]).toEqual([
      409,
      expect.stringContaining('Deleted were: First.'),
    ]);
    expect([await source.kapsule(admin, first), await stateOf(parent), await stateOf(last)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect((await source.remove(admin, [last], true)).body).toEqual({ deleted: 1 });
  });

  it('ends the downloads of a kapsule that was deleted before the one that was refused', async () => {
    const first = await addKapsule(source.app.store, 'Downloaded');
    await addLargeGranules(source.app.store, first, 120);
    const parent = await source.created(admin, kap('Elder', 'elder', ['note']));
    await source.sql('CREATE TABLE younger (id text REFERENCES elder (id))');
    const headers = { authorization: `Bearer ${admin.token}` };
    const port = await listenLocally(source.app.http);
    const download = await slowReader(port, `/api/kapsule/${first.id}/export?format=ndjson`, headers);
    expect((await source.remove(admin, [first.id, parent], true)).status).toBe(409);
    await expect(download.readAll()).rejects.toThrow('aborted');
  });

  it('deletes nothing for a USER when one table was not made by the service', async () => {
    await source.sql('CREATE TABLE business (id text PRIMARY KEY, note text)');
    const foreign = await source.created(admin, kap('Business', 'business', ['note']));
    const own = await addKapsule(source.app.store, 'In the store', { owner: 'vera' });
    const record = await source.app.store.kapsules.get(foreign);
    await grant(source.app.store, 'vera', ['DELETE'], record ? [record] : []);
    const refused = await source.remove(vera, [own.id, foreign], true);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'The table business was not made by this service: only an ADMIN may delete it. Please delete Business without its table.',
    ]);
    expect([await source.app.store.kapsules.get(own.id), await stateOf(foreign)]).toEqual([
      expect.objectContaining({ name: 'In the store' }),
      undefined,
    ]);
    expect((await source.remove(vera, [own.id, foreign], false)).body).toEqual({ deleted: 2 });
  });

  it('binds no new kapsule to a table that is being dropped', async () => {
    const id = await source.created(admin, kap('Going', 'going', ['note']));
    await source.app.store.kapsules.patch(id, { state: 'deleting' });
    const [line] = (await source.importKap(admin, kap('Coming', 'GOING', ['note'])))
      .body as unknown as object[];
    expect(line).toMatchObject({ status: 'failed', message: 'The table GOING is being deleted.' });
    expect(await stateOf(id)).toBe('deleting');
    expect((await source.remove(admin, [id], true)).body).toEqual({ deleted: 1 });
  });

  it('keeps the table until the kapsule can no longer be restored, unless it is to be dropped at once', async () => {
    const id = await source.created(vera, kap('Deferred', 'deferred_one', ['note']));
    expect(await isUsable(id)).toBe(200);
    expect((await removeLater(vera, id)).body).toEqual({ deleted: 1 });
    expect(await source.kapsule(admin, id)).toBeUndefined();
    // A kapsule that an ADMIN binds to the table meanwhile can't take it away.
    const other = await source.created(admin, kap('Other', 'deferred_one', ['note']));
    expect((await source.remove(admin, [other], true)).body.message).toBe(
      'The table deferred_one is used by what was deleted and can be restored. Please delete Other without its table.',
    );
    expect((await source.remove(admin, [other], false)).body).toEqual({ deleted: 1 });
    expect((await admin.call('DELETE', `/api/kapsule/deleted/${other}`)).status).toBe(200);
    const restored = await vera.post(`/api/kapsule/deleted/${id}/restore`, {});
    expect([restored.status, await isUsable(id)]).toEqual([200, 200]);
    expect((await source.kapsule(admin, id))?.granules).toEqual({ total: 1, notReloaded: 1 });

    await removeLater(vera, id);
    await sweepDeleted(source.app, Date.now() + 29 * DAY_MS, memoryLogs().logs.app);
    expect(await source.columnsOf('deferred_one')).toEqual(['id', 'note']);
    await sweepDeleted(source.app, Date.now() + 31 * DAY_MS, memoryLogs().logs.app);
    expect(await source.columnsOf('deferred_one')).toEqual([]);
    const trail = await actionsOn(source.app.store, 'kapsule', id);
    expect(trail.at(-1)).toMatchObject({ action: 'kapsule.purge', before: { tableDropped: true } });
  });

  it('keeps a table at the end that the database does not drop, and says why', async () => {
    const id = await source.created(vera, kap('Referred', 'referred', ['note']));
    await removeLater(admin, id);
    // The ADMIN has chosen 30 days, also for a table of another program.
    expect((await vera.call('DELETE', `/api/kapsule/deleted/${id}`)).status).toBe(403);
    await source.sql('CREATE TABLE referring (id text REFERENCES referred (id))');
    expect((await admin.call('DELETE', `/api/kapsule/deleted/${id}`)).status).toBe(200);
    expect(await source.columnsOf('referred')).toEqual(['id', 'note']);
    expect((await actionsOn(source.app.store, 'kapsule', id)).at(-1)?.before).toMatchObject({
      tableKept: 'PostgreSQL: Other tables or views refer to this table.',
    });
  });

  it('gives a USER by a restore no table that another program has made meanwhile', async () => {
    const id = await source.created(vera, kap('Swapped', 'swapped', ['note']));
    await source.remove(vera, [id], false);
    await source.sql('DROP TABLE swapped');
    await source.sql('CREATE TABLE swapped (id text PRIMARY KEY, note text)');
    const refused = await vera.post(`/api/kapsule/deleted/${id}/restore`, {});
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'The table swapped was not made by this service: only an ADMIN may restore Swapped.',
    ]);
    expect((await admin.post(`/api/kapsule/deleted/${id}/restore`, {})).status).toBe(200);
  });

  it('says that the table is dropped when the store fails after it was dropped', async () => {
    const id = await source.created(admin, kap('Half', 'half_done', ['note']));
    const { postgresql } = source.app.settings.whole();
    await using app = await testApp({ settingsFile: { settings: {}, postgresql } });
    const other = await app.asAdmin();
    const again = await source.app.store.kapsules.get(id);
    if (!again) throw new Error('There is no such kapsule.');
    const { id: _, version: __, ...copy } = again;
    const { id: own } = await app.store.kapsules.insert(copy);
    const lock = await source.connect();
    await lock.query('BEGIN; LOCK TABLE half_done');
    const removing = source.remove(other, [own], true);
    const waits = async () => (await source.sql('SELECT 1 FROM pg_locks WHERE NOT granted')).length;
    await expect.poll(waits, { timeout: 9_000 }).toBe(1);
    await app.store.close();
    await lock.query('COMMIT');
    await lock.end();
    const { status, body } = await removing;
    expect([status, body.message]).toEqual([
      503,
      'The database does not answer. Please try again in a moment. The table half_done was dropped, and Half is kept as "deleting". Please delete it again.',
    ]);
    expect(await source.columnsOf('half_done')).toEqual([]);
    // Deleting it again removes the kapsule, although its table is gone.
    expect((await source.remove(admin, [id], true)).body).toEqual({ deleted: 1 });
  });

  it('works without the table also when the data source is no longer set up', async () => {
    const id = await source.created(admin, kap('Left', 'left_behind', ['note']));
    const { postgresql: _, ...rest } = (await admin.get('/configuration/sys/get/info')).body;
    expect((await admin.call('PUT', '/configuration/sys/update/info', { body: rest })).status).toBe(200);
    const refused = await source.remove(admin, [id], true);
    expect([refused.status, refused.body.message]).toEqual([
      503,
      'postgresql is not set up in the settings. Please delete Left without its table.',
    ]);
    expect(await stateOf(id)).toBe('unavailable');
    expect((await source.remove(admin, [id], false)).body).toEqual({ deleted: 1 });
  });
});
