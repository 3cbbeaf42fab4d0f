import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry, LogPage } from '@kaptain/contract';
import type { JobRecord, NewDocument, Store } from '@kaptain/store';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Caller } from '../../testing/caller.ts';
import { addKapsule, grant } from '../../testing/kapsules.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const job = (name: string, change: Partial<JobRecord> = {}): NewDocument<JobRecord> => ({
  name,
  type: 'normal',
  status: 'succeeded',
  userId: null,
  kapsuleId: null,
  appId: 'app',
  partial: false,
  lastRunAt: '2026-01-02T03:04:05.000Z',
  lastFinishedAt: '2026-01-02T03:04:06.500Z',
  qlikUser: { userDirectory: 'CORP', userId: 'mara' },
  qScriptLogFile: null,
  failReason: null,
  progress: null,
  createdAt: '2026-01-02T03:04:05.000Z',
  ...change,
});
const list = async (caller: Caller) => JSON.parse((await caller.get('/api/log/list')).text) as LogEntry[];
const page = async (caller: Caller, query: string) =>
  (await caller.get(`/api/log/list?${query}`)).body as unknown as LogPage;
const names = (entries: LogEntry[]) => entries.map(({ name }) => name);
const idOf = async ({ users }: Store, name: string) => (await users.findBy('nameKey', name))[0]?.id ?? '';

describe('the log list', () => {
  let app: TestApp;
  let vera: Caller;
  let admin: Caller;
  beforeAll(async () => {
    app = await testApp();
    [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const { store } = app;
    const userId = await idOf(store, 'vera');
    const shared = await addKapsule(store, 'Shared');
    const foreign = await addKapsule(store, 'Foreign');
    await grant(store, 'vera', ['READ'], [shared]);
    const script = { qScriptLogFile: 'run.log' };
    await store.jobs.insert(job('Own', { userId, ...script }));
    await store.jobs.insert(
      job('Shared', { kapsuleId: shared.id, status: 'failed', failReason: 'No field.' }),
    );
    await store.jobs.insert(job('Both', { userId, kapsuleId: shared.id, status: 'running', progress: 0.4 }));
    await store.jobs.insert(job('Foreign STRASSE', { kapsuleId: foreign.id, ...script }));
    await store.jobs.insert(job('Shared later', { kapsuleId: shared.id, ...script }));
  });
  afterAll(() => app[Symbol.asyncDispose]());

  it('is refused without a login, shows a USER their own jobs and those of readable kapsules, an ADMIN all; newest first', async () => {
    expect((await app.asNobody.get('/api/log/list')).status).toBe(401);
    expect(names(await list(vera))).toEqual(['Shared later', 'Both', 'Shared', 'Own']);
    expect(names(await list(admin))).toEqual(['Shared later', 'Foreign STRASSE', 'Both', 'Shared', 'Own']);
    expect(await list(await app.asUser('otto'))).toEqual([]);
  });

  it('has the fields of the specification and the extra ones of a run', async () => {
    expect((await list(admin)).find(({ name }) => name === 'Shared')).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      name: 'Shared',
      type: 'normal',
      lastRunAt: '2026-01-02T03:04:05.000Z',
      lastFinishedAt: '2026-01-02T03:04:06.500Z',
      qlikUser: { userDirectory: 'CORP', userId: 'mara' },
      appId: 'app',
      kapsuleId: expect.any(String),
      partial: false,
      status: 'failed',
      failReason: 'No field.',
      progress: null,
      progressText: null,
      createdAt: '2026-01-02T03:04:05.000Z',
      attempt: null,
    });
  });

  it('names the script log only to those who may download it', async () => {
    const withLog = async (caller: Caller) =>
      names((await list(caller)).filter((entry) => entry.qScriptLogFile));
    expect(await withLog(vera)).toEqual(['Own']);
    expect(await withLog(admin)).toEqual(['Shared later', 'Foreign STRASSE', 'Own']);
  });

  it('is paged and filtered by part of the name in any case, by status and by time, within what the caller may see', async () => {
    const found = async (caller: Caller, query: string) => names((await page(caller, query)).data);
    expect(await page(vera, 'size=3')).toMatchObject({ total: 4, totalIsExact: true });
    expect(await found(vera, 'size=3')).toEqual(['Shared later', 'Both', 'Shared']);
    expect(await found(vera, 'size=3&page=2')).toEqual(['Own']);
    expect(await found(vera, 'size=3&page=3')).toEqual([]);
    expect(await found(vera, 'q=sHaReD')).toEqual(['Shared later', 'Shared']);
    expect(await found(admin, 'q=stra%C3%9Fe')).toEqual(['Foreign STRASSE']);
    expect(await found(vera, 'q=stra%C3%9Fe')).toEqual([]);
    expect(await found(vera, 'status=failed')).toEqual(['Shared']);
    expect(await found(admin, 'status=succeeded&q=shared')).toEqual(['Shared later']);
    expect(await found(admin, 'from=2999-01-01T00:00:00Z')).toEqual([]);
    expect(await found(admin, 'to=2001-01-01T00:00:00Z')).toEqual([]);
    expect(await found(admin, 'from=2001-01-01T00:00:00Z&to=2999-01-01T00:00:00Z&q=own')).toEqual(['Own']);
  });

  it('refuses invalid queries', async () => {
    for (const query of [
      'page=0',
      'size=0',
      'size=1001',
      'status=done',
      'from=yesterday',
      'q=%00',
      'page=1&page=2',
    ])
      expect([query, (await admin.get(`/api/log/list?${query}`)).status]).toEqual([query, 400]);
  });
});

it('tells which apps failed at their last finished run, within what the caller may see', async () => {
  await using app = await testApp();
  const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
  const { store } = app;
  const userId = await idOf(store, 'vera');
  const runs = [
    ['mended', 'failed'],
    ['mended', 'succeeded'],
    ['broken', 'succeeded'],
    ['broken', 'failed'],
    ['broken', 'cancelled'],
    ['broken', 'running'],
  ] as const;
  for (const [appId, status] of runs) await store.jobs.insert(job(`${appId} ${status}`, { appId, status }));
  await store.jobs.insert(job('own', { appId: 'own', status: 'failed', userId }));
  const failing = async (caller: Caller) =>
    names((await caller.get('/api/log/failing')).body as unknown as LogEntry[]);
  expect((await app.asNobody.get('/api/log/failing')).status).toBe(401);
  expect(await failing(admin)).toEqual(['own', 'broken failed']);
  expect(await failing(vera)).toEqual(['own']);
});

describe('a very long log', () => {
  it('is read only as far as a page needs, for an ADMIN and for a USER, and is searched to its first entry', async () => {
    await using app = await testApp();
    const [vera, admin] = [await app.asUser('vera'), await app.asAdmin()];
    const shared = await addKapsule(app.store, 'Shared', { owner: 'vera' });
    const { id: _, version: __, ...newKapsule } = await addKapsule(app.store, 'Another');
    const userId = await idOf(app.store, 'vera');
    const later = Array.from({ length: 2400 }, (_, index) =>
      job(`Reload ${index + 1}`, { kapsuleId: (index + 1) % 400 === 0 ? shared.id : 'other' }),
    );
    // All sent before the first answer: waiting for each of them takes longer.
    await app.store.transaction(({ jobs }) =>
      Promise.all([job('The very first', { userId }), ...later].map((one) => jobs.insert(one))),
    );
    const recent = vi.spyOn(app.store.jobs, 'recent');
    const read = async () => {
      const batches = await Promise.all(recent.mock.results.map(({ value }) => value as Promise<unknown[]>));
      recent.mockClear();
      return batches.reduce((sum, batch) => sum + batch.length, 0);
    };
    const first = await page(admin, 'size=50');
    expect(names(first.data).slice(0, 2)).toEqual(['Reload 2400', 'Reload 2399']);
    expect(first).toMatchObject({ total: 500, totalIsExact: false });
    expect(await read()).toBeLessThan(1000);
    expect(await page(vera, 'size=50')).toMatchObject({ total: 7, totalIsExact: true });
    expect(await read()).toBe(7);
    expect(names((await page(admin, 'q=very first')).data)).toEqual(['The very first']);
    expect(await read()).toBe(2401);
    // A user who may read very many kapsules finds the same.
    const many = await app.store.transaction(({ kapsules }) =>
      Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          kapsules.insert({ ...newKapsule, name: `k${index}`, nameKey: `k${index}` }),
        ),
      ),
    );
    await grant(app.store, 'vera', ['READ'], many);
    expect(names((await page(vera, 'q=reload')).data)).toHaveLength(6);
    expect(names((await page(vera, 'q=very first')).data)).toEqual(['The very first']);
    expect(names((await page(vera, 'q=reload 2399')).data)).toEqual([]);
    recent.mockClear();
    expect(await page(admin, 'size=1000&page=3')).toMatchObject({ total: 2401, totalIsExact: true });
    expect(await list(admin)).toHaveLength(2401);
  });
});

describe('the script log of a run', () => {
  it('is downloaded by the user who started the run and by ADMINs, by bearer token or ticket', async () => {
    await using app = await testApp();
    const [vera, otto, admin] = [await app.asUser('vera'), await app.asUser('otto'), await app.asAdmin()];
    mkdirSync(join(app.folder, 'script-logs'));
    writeFileSync(join(app.folder, 'script-logs', 'run.log'), 'Reload gestartet für Köln\n');
    const shared = await addKapsule(app.store, 'Shared', { owner: 'otto' });
    const { id } = await app.store.jobs.insert(
      job('Own', {
        userId: await idOf(app.store, 'vera'),
        kapsuleId: shared.id,
        // A path on another machine.
        qScriptLogFile: 'C:\\ProgramData\\Qlik\\Sense\\Log\\Script\\run.log',
      }),
    );
    const path = `/api/log/download/${id}`;
    expect((await app.asNobody.get(path)).status).toBe(401);
    expect((await otto.get(path)).status).toBe(404);
    for (const caller of [vera, admin]) {
      const { status, text, headers } = await caller.get(path);
      expect([status, text]).toEqual([200, 'Reload gestartet für Köln\n']);
      expect(headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': expect.stringContaining('attachment; filename="run.log"'),
        'content-security-policy': expect.stringContaining('sandbox'),
      });
    }
    const reading = `/api/log/content/${id}`;
    expect((await app.asNobody.get(reading)).status).toBe(401);
    expect((await otto.get(reading)).status).toBe(404);
    for (const caller of [vera, admin])
      expect((await caller.get(reading)).body).toEqual({ text: 'Reload gestartet für Köln\n', isCut: false });
    const ticket = String((await vera.post('/api/download/ticket', { path })).body['url']);
    expect((await app.asNobody.get(ticket)).text).toContain('Köln');
    expect((await vera.call('HEAD', path)).status).toBe(200);
  });

  it('is never read from outside its folder, nor from anything but a regular file', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const folder = join(app.folder, 'script-logs');
    mkdirSync(join(folder, 'folder.log'), { recursive: true });
    writeFileSync(join(app.folder, 'secret.txt'), 'secret');
    symlinkSync(join(app.folder, 'secret.txt'), join(folder, 'symlink.log'));
    linkSync(join(app.folder, 'secret.txt'), join(folder, 'hardlink.log'));
    if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'pipe.log')]);
    for (const qScriptLogFile of [
      '../secret.txt',
      join(app.folder, 'secret.txt'),
      '..\\secret.txt',
      '/etc/passwd',
      'symlink.log',
      'hardlink.log',
      'pipe.log',
      'folder.log',
      '..',
      'a\0.log',
      'missing.log',
      '/',
    ]) {
      const { id } = await app.store.jobs.insert(job('Odd', { qScriptLogFile }));
      expect((await admin.get(`/api/log/content/${id}`)).status).toBe(404);
      for (const method of ['GET', 'HEAD'] as const)
        expect([qScriptLogFile, (await admin.call(method, `/api/log/download/${id}`)).status]).toEqual([
          qScriptLogFile,
          404,
        ]);
    }
  });
});
