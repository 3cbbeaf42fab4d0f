import { StaleVersionError, type Store } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { upload } from '../../testing/multipart.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { PASSWORD, testApp } from '../../testing/test-app.ts';
import { trailLines } from '../../testing/trail-lines.ts';
import { audit } from '../audit/audit.ts';
import { logTrail } from './log-trail.ts';

const call = { caller: undefined, ip: '10.1.2.3', requestId: 'r1' };

describe('the app log', () => {
  it('has one line for each audited action: actor, action, target, result, address', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const body = {
      username: 'vera',
      password: PASSWORD,
      role: 'USER',
      groups: [],
      qlikId: 'x',
      isCreate: true,
    };
    await admin.post('/api/user/create', body);
    await app.asNobody.post('/auth/login', { username: 'vera', password: 'wrong' });
    const { id } = await addKapsule(app.store, 'Sales');
    const files = [{ field: 'files[]', name: 'a.qvd', content: qvdBytes(['id', 'comment'], [['1', 'a']]) }];
    await upload(admin, `/api/kapsule/import/qvd/data?kapsuleId=${id}`, files);
    await admin.call('PUT', '/configuration/sys/update/info', { body: { settings: { apiKey: true } } });
    await admin.post('/auth/logout');
    const entries = await app.store.audit.all();
    expect(trailLines(app)).toEqual(entries.map((entry) => [entry.id, entry.action]));
    expect(entries.map(({ action }) => action)).toEqual([
      'instance.init',
      'session.login',
      'user.create',
      'session.loginRefused',
      'granule.import',
      'settings.update',
      'session.logout',
    ]);
    const lines = app.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const [vera] = await app.store.users.findBy('nameKey', 'vera');
    expect(lines.find(({ action }) => action === 'user.create')).toEqual({
      level: 'info',
      time: expect.any(String),
      user: 'admin',
      action: 'user.create',
      target: `user:${vera?.id}`,
      targetName: 'vera',
      result: 'ok',
      ip: '127.0.0.1',
      requestId: expect.any(String),
      entry: expect.any(String),
      msg: 'user.create',
    });
    expect(lines.find(({ action }) => action === 'settings.update')).toMatchObject({
      changed: ['settings.apiKey'],
    });
    expect(lines.find(({ action }) => action === 'session.loginRefused')).toMatchObject({
      level: 'warn',
      user: 'vera',
      result: 'refused',
    });
    expect(app.logLines.join('')).not.toContain(PASSWORD);
  });

  it('has no line for work that was rolled back, and one for work that was retried', async () => {
    await using app = await testApp();
    const note = (action: 'user.create' | 'group.create') => (nouns: Pick<Store, 'audit'>) =>
      audit(nouns, call, Date.now(), { action });
    const failing = app.store.transaction(async (unit) => {
      await note('user.create')(unit);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    const kapsule = await addKapsule(app.store, 'Sales');
    await addGranules(app.store, kapsule, 1);
    expect(trailLines(app)).toEqual([]);
    // A store that runs the work again after a collision, as database servers do.
    const colliding: Store = {
      ...app.store,
      transaction: async (work) => {
        const first = app.store.transaction(async (unit) => {
          await work(unit);
          throw new StaleVersionError('users', 'x');
        });
        await first.catch(() => undefined);
        return app.store.transaction(work);
      },
    };
    const { logs, lines } = memoryLogs();
    await logTrail(colliding, logs.app).transaction(note('group.create'));
    expect(trailLines({ logLines: lines }).map(([, action]) => action)).toEqual(['group.create']);
  });

  it('can not be forged by names: one line, without control characters', async () => {
    await using app = await testApp();
    const name = 'eve\n{"action":"user.remove"}\r\u001b[2J\u009b31m\u202e\u2066\u200b\u2028\ufeff\u{e0041}';
    const target = { noun: 'user', id: '1', name };
    await audit(app.store, call, Date.now(), {
      action: 'user.create',
      target,
      actor: { id: null, username: name },
    });
    const [line = '', ...more] = app.logLines;
    expect(more).toEqual([]);
    expect(line.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
    expect(JSON.parse(line)).toMatchObject({ action: 'user.create', result: 'ok' });
    expect((JSON.parse(line) as { user: string }).user).toContain('\\u202e\\u2066\\u200b');
  });
});

describe('the system log', () => {
  it('has calls of the API at level info, and files and pages at level debug', async () => {
    await using app = await testApp();
    const page = { accept: 'text/html' };
    const asked = [
      '/',
      '/config.json',
      '/assets/index-abc123.js',
      '/docs',
      '/docs/docs.css',
      '/data/kapsules',
    ];
    for (const path of asked) expect((await app.asNobody.get(path, page)).status).toBe(200);
    for (const path of ['/app/version', '/healthz', '/api/kapsule', '/assets/none.js'])
      await app.asNobody.get(path);
    const levels = app.logLines
      .map((line) => JSON.parse(line) as { level: string; path?: string })
      .map(({ level, path }) => `${level} ${path}`);
    expect(levels).toEqual([
      ...asked.map((path) => `debug ${path}`),
      'debug /app/version',
      'debug /healthz',
      'info /api/kapsule',
      'info /assets/none.js',
    ]);
  });
});
