import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { put, saved } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';
import { Instances } from '../instances/instances.ts';
import { rolloutIn } from '../instances/rollout-record.ts';

describe('a switch of the database', () => {
  const db = {
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: 'h',
    KAPTAIN_DB_PORT: 5432,
    KAPTAIN_DB_USER: 'u',
    KAPTAIN_DB_PASS: 'p',
    KAPTAIN_DB_NAME: 'n',
  };

  it('copies the acting and the first admin into an empty one, so that no first admin can be created there', async () => {
    const other = { file: '' };
    await using app = await testApp({ openDatabase: () => openEmbeddedStore(other) });
    other.file = join(app.folder, 'other.db');
    await app.asAdmin();
    const second = await app.asUser('second', { role: 'ADMIN' });
    for (const name of ['n', 'm'])
      expect((await put(second, { settings: {}, db: { ...db, KAPTAIN_DB_NAME: name } })).status).toBe(200);
    const store = await openEmbeddedStore(other);
    const users = await store.users.all();
    expect([(await store.instance.all()).length, users.map(({ username }) => username).sort()]).toEqual([
      1,
      ['admin', 'second'],
    ]);
    await store.close();
  });

  it('is refused while another instance lives, which would stay on the other database', async () => {
    const openDatabase = () => openEmbeddedStore({ file: join(app.folder, 'other.db') });
    await using app = await testApp({ openDatabase, sharing: { isDatabaseFixed: false } });
    const admin = await app.asAdmin();
    const other = new Instances({
      store: app.store,
      version: '9.8.7',
      head: await app.store.transaction(rolloutIn),
      fetch: async () => undefined,
      restart: () => undefined,
      uptime: () => performance.now(),
      log: memoryLogs().logs.system,
    });
    await other.enter('other', 0, null);
    const refused = await put(admin, { settings: { userId: 'moved' }, db });
    expect([refused.status, refused.body.details]).toEqual([400, { field: 'db.KAPTAIN_DB_HOST' }]);
    expect(refused.body.message).toMatch(/^Other instances use this database/);
    expect(saved(app)).toBe(0);
    expect((await put(admin, { settings: { userId: 'stays' } })).status).toBe(200);
    await other.leave(true);
    expect((await put(admin, { settings: {}, db })).status).toBe(200);
    expect(app.settings.whole().db).toMatchObject({ KAPTAIN_DB_HOST: 'h' });
  });

  it('is left out of a save where the environment names the database', async () => {
    await using app = await testApp({ sharing: { isDatabaseFixed: true } });
    const admin = await app.asAdmin();
    expect((await put(admin, { settings: { userId: 'kept' }, db })).status).toBe(200);
    const { settings, db: block } = app.settings.whole();
    expect([settings.userId, block]).toEqual(['kept', undefined]);
    const [entry] = await app.store.audit.recent({ where: { action: 'settings.update' }, limit: 1 });
    expect(entry?.after).toEqual({ changed: ['settings.userId'] });
  });
});
