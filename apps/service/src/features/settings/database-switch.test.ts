import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { put } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

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
});
