import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { realFiles } from '../../base/config/settings/durable-file.ts';
import { settingsNotices } from '../../base/config/settings/notices.ts';
import { CONFIG, GET, get, mysql, put, saved } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

describe('saving settings', () => {
  it('is for ADMINs alone, takes effect on the next read, and is audited by field names', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    expect((await put(app.asNobody, { settings: {} })).status).toBe(401);
    expect((await put(vera, { settings: {} })).status).toBe(403);
    const heard: boolean[] = [];
    app.settings.onChange(() => heard.push(app.settings.current().apiKey));
    const answer = await put(admin, { settings: { apiKey: true }, mysql });
    expect([answer.status, answer.body]).toEqual([200, { status: 'success' }]);
    expect(heard).toEqual([true]);
    expect(app.settings.whole().mysql).toMatchObject({ MYSQL_PASSWORD: 'pw-1' });
    const [entry] = await app.store.audit.recent({ where: { action: 'settings.update' }, limit: 1 });
    expect(entry).toMatchObject({ actor: 'admin', target: 'settings:1', result: 'ok' });
    expect(entry?.after?.['changed']).toContain('mysql.MYSQL_PASSWORD');
    expect(JSON.stringify(entry)).not.toContain('pw-1');
  });

  it('answers 412 to the second of two admins who edit the same generation', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const first = await admin.get(GET);
    expect([first.headers['etag'], first.body['generation']]).toEqual(['"0"', 0]);
    const ifMatch = { 'if-match': String(first.headers['etag']) };
    expect((await put(admin, { settings: { userId: 'a' } }, ifMatch)).status).toBe(200);
    const late = await put(admin, { settings: { userId: 'b' } }, ifMatch);
    expect([late.status, late.body.code]).toEqual([412, 'STALE']);
    expect((await get(admin))['settings']?.['userId']).toBe('a');
    expect((await put(admin, { settings: { userId: 'c' } }, { 'if-match': 'W/"1"' })).status).toBe(200);
    expect((await put(admin, { settings: { userId: 'd' } })).status).toBe(200);
    const all = Array.from({ length: 5 }, (_, index) =>
      put(admin, { settings: { userId: `race ${index}` } }, { 'if-match': '"3"' }),
    );
    const statuses = (await Promise.all(all)).map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([200, 412, 412, 412, 412]);
  });

  it('stores the same values once after a rollback, which ends the warning about it', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    expect((await put(admin, { settings: { userId: 'given up' } })).status).toBe(200);
    app.settings.generations.setMark(1, { status: 'rejected', at: '', reason: 'No HTTPS.' });
    app.settings.refresh();
    const seen = async () => {
      const { generation, lastApply } = (await admin.get(`${CONFIG}/state`)).body;
      return [generation, (lastApply as { status: string }).status, settingsNotices(app.settings, {}).length];
    };
    expect(await seen()).toEqual([0, 'rolledBack', 1]);
    for (let save = 0; save < 2; save += 1) {
      expect((await put(admin, await get(admin))).status).toBe(200);
      expect(await seen()).toEqual([2, 'waiting', 0]);
    }
    const [entry] = await app.store.audit.recent({ where: { action: 'settings.update' }, limit: 1 });
    expect(entry).toMatchObject({ target: 'settings:2', after: { changed: [] } });
  });

  it('stores nothing when the audit entry can not be written', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    // The disk of the database fills up when the entry is written.
    const store = app.store as { transaction: Store['transaction'] };
    const real = store.transaction.bind(app.store);
    store.transaction = () => Promise.reject(new Error('the database is gone'));
    expect((await put(admin, { settings: { apiKey: true } })).status).toBe(500);
    store.transaction = real;
    expect([saved(app), app.settings.current().apiKey]).toEqual([0, false]);
  });

  it('answers 507 on a full disk, keeps the old settings, and works again when there is space', async () => {
    let isFull = true;
    const full = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' });
    };
    const disk = {
      ...realFiles,
      writeSync: ((fd: number, bytes: Buffer, offset: number) =>
        isFull ? full() : realFiles.writeSync(fd, bytes, offset)) as never,
    };
    await using app = await testApp({ disk });
    const admin = await app.asAdmin();
    const refused = await put(admin, { settings: { apiKey: true } });
    expect([refused.status, refused.body.code, saved(app)]).toEqual([507, 'DISK_FULL', 0]);
    expect(readdirSync(join(app.folder, 'settings'))).toEqual([]);
    isFull = false;
    expect((await put(admin, { settings: { apiKey: true } })).status).toBe(200);
    const huge = { settings: {}, license: { LICENSE_TEXT: 'x'.repeat(300_000) } };
    expect((await put(admin, huge)).status).toBe(413);
  });

  it('shows the port of the boot file, which no save changes', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    expect((await put(admin, { settings: { port: 1 } })).status).toBe(200);
    expect([(await get(admin))['settings']?.['port'], saved(app)]).toEqual([8000, 0]);
  });
});
