import type { StatusCheck } from '@kaptain/contract';
import type { JobRecord } from '@kaptain/store';
import { describe, expect, it, vi } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { upload } from '../../testing/multipart.ts';
import { testApp } from '../../testing/test-app.ts';
import { runChecks } from '../checks/check.ts';
import { licenseCheck } from '../checks/license-check.ts';
import { pendingChangeChecks, roomLeft } from '../checks/own-checks.ts';

const statusOf = async (app: Awaited<ReturnType<typeof testApp>>) =>
  (await (await app.asAdmin()).get('/api/status')).body as unknown as {
    version: string;
    since: string;
    checks: StatusCheck[];
  };
const entry = (checks: StatusCheck[], name: string) => checks.find((check) => check.name === name);

/** For tests that change nothing. */
const shared = appOfFile();

describe('the status of the service', () => {
  it('is for ADMINs alone, with the version, the start time and each check', async () => {
    const { app } = shared;
    expect((await app.asNobody.get('/api/status')).status).toBe(401);
    expect((await (await app.asUser('vera')).get('/api/status')).status).toBe(403);
    const { version, since, checks } = await statusOf(app);
    expect(version).toBe('9.8.7');
    expect(Date.parse(since)).toBeLessThanOrEqual(Date.now());
    expect(entry(checks, 'Database')).toMatchObject({
      state: 'ok',
      sentence: expect.stringMatching(/^It answers within \d+ ms\.$/),
    });
    expect(entry(checks, 'Disk')?.sentence).toMatch(/free in the data folder/);
    expect(entry(checks, 'Last failed job')).toMatchObject({ state: 'ok', sentence: 'No job has failed.' });
  });

  it('says which settings are in use, that others were rolled back, and that a restart failed', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const found = async () => entry((await statusOf(app)).checks, 'Settings');
    expect(await found()).toMatchObject({ state: 'ok', sentence: 'In use: the defaults.' });
    await admin.call('PUT', '/configuration/sys/update/info', { body: { settings: { userId: 'x' } } });
    app.restarts.failure = { at: new Date().toISOString(), reason: 'The database does not answer.' };
    expect(await found()).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('The database does not answer.'),
    });
    app.settings.generations.setMark(1, { status: 'rejected', at: '', reason: 'No HTTPS.' });
    expect(await found()).toMatchObject({
      state: 'warning',
      sentence: expect.stringMatching(
        /generation 1, saved [-:.TZ\d]+\) are not used, .*: No HTTPS\. It uses the defaults/,
      ),
    });
  });

  it('reports the last failed job until its app is reloaded successfully', async () => {
    await using app = await testApp();
    const job = {
      name: 'Reload Sales',
      type: 'normal',
      userId: null,
      kapsuleId: null,
      appId: 'a1',
      partial: false,
      qlikUser: null,
      lastRunAt: '2026-01-01T00:00:00.000Z',
      lastFinishedAt: '2026-01-01T00:01:00.000Z',
      qScriptLogFile: null,
      progress: null,
      failReason: 'Field not found.',
      createdAt: '2026-01-01T00:00:00.000Z',
    } satisfies Partial<JobRecord>;
    await app.store.jobs.insert({ ...job, status: 'succeeded' });
    await app.store.jobs.insert({ ...job, status: 'failed' });
    const last = async () => entry((await statusOf(app)).checks, 'Last failed job');
    expect(await last()).toEqual({
      name: 'Last failed job',
      state: 'warning',
      sentence: '“Reload Sales” failed: Field not found.',
      at: '2026-01-01T00:01:00.000Z',
    });
    await app.store.jobs.insert({ ...job, status: 'succeeded', appId: 'another' });
    expect(await last()).toMatchObject({ state: 'warning' });
    await app.store.jobs.insert({ ...job, status: 'succeeded' });
    expect(await last()).toMatchObject({
      state: 'ok',
      sentence: '“Reload Sales” failed, and has succeeded since.',
    });
  });

  it('tries each data source of the settings and the platform, with a hint when one fails', async () => {
    const server = {
      MYSQL_POOL: 0,
      MYSQL_SERVER: '127.0.0.1',
      MYSQL_PORT: 1,
      MYSQL_USER: 'k',
      MYSQL_DATABASE: 'k',
    };
    const settings = {
      settings: { qlikHost: 'DESKTOP' },
      mysql: { ...server, MYSQL_PASSWORD: 'very secret' },
    };
    await using app = await testApp({ settingsFile: settings });
    const { checks } = await statusOf(app);
    expect(checks.map(({ name }) => name)).toEqual([
      'Database',
      'Settings',
      'Keys',
      'MySQL',
      'Platform',
      'License',
      'Clock',
      'Disk',
      'Last backup',
      'Last failed job',
    ]);
    expect(entry(checks, 'MySQL')).toMatchObject({
      state: 'error',
      sentence: 'MySQL: The server can not be reached.',
    });
    expect(entry(checks, 'Platform')).toMatchObject({
      state: 'error',
      sentence: expect.stringContaining('check host'),
    });
    expect(JSON.stringify(checks)).not.toContain('very secret');
    expect(entry((await statusOf(shared.app)).checks, 'Platform')).toMatchObject({
      state: 'warning',
      sentence: 'No platform is connected, so nothing can be reloaded: enter one in the settings.',
    });
  });

  it('warns of the certificate before browsers refuse it, while HTTPS is on', async () => {
    expect(entry((await statusOf(shared.app)).checks, 'Certificate')).toBeUndefined();
    await using app = await testApp({ settingsFile: { settings: { https: true } } });
    const certificate = async () => entry((await statusOf(app)).checks, 'Certificate');
    expect(await certificate()).toMatchObject({
      state: 'error',
      sentence: expect.stringContaining('is required!'),
    });
    const admin = await app.asAdmin();
    for (const name of ['server.pem', 'server_key.pem'])
      await upload(admin, `/configuration/sys/upload/file/${name}`, [
        { field: 'file', name, content: testCertificate(name) },
      ]);
    const body = { settings: { https: true, hsts: true } };
    expect((await admin.call('PUT', '/configuration/sys/update/info', { body })).status).toBe(200);
    const valid = await certificate();
    expect(valid).toMatchObject({
      state: 'ok',
      sentence: expect.stringMatching(/^It is valid until \d{4}-/),
    });
    const end = Date.parse(`${/\d{4}-\d\d-\d\d/.exec(valid?.sentence ?? '')?.[0]}T00:00:00Z`);
    app.setClock(end - 10 * 86_400_000 - Date.now());
    expect(await certificate()).toMatchObject({
      state: 'warning',
      sentence: expect.stringMatching(/^It expires on/),
    });
    app.setClock(30 * 86_400_000);
    expect(await certificate()).toMatchObject({
      state: 'error',
      sentence: expect.stringMatching(/expired on .* Upload a valid one in the settings\.$/),
    });
  });

  it('reports the age of the last backup', async () => {
    await using app = await testApp();
    const last = async () => entry((await statusOf(app)).checks, 'Last backup');
    expect(await last()).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('None has been made yet.'),
    });
    const at = new Date().toISOString();
    const who = {
      actorId: null,
      actor: 'host',
      ip: '',
      target: null,
      targetName: null,
      requestId: '',
      before: null,
    };
    await app.store.audit.insert({ ...who, at, action: 'backup.create', result: 'ok', after: null });
    expect(await last()).toMatchObject({ state: 'ok', at });
    app.advance(8 * 86_400_000);
    expect(await last()).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('It is 8 days old.'),
    });
    app.setClock(-9 * 86_400_000);
    expect(await last()).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('The clock was ahead when it was made'),
    });
  });

  it('warns of a license that is missing, invalid, expired or about to expire', async () => {
    const now = Date.parse('2026-06-01T00:00:00Z');
    const stateOf = async (kind: 'none' | 'text' | 'signed' | 'invalid', expiresAt: string | null = null) => {
      const isExpired = expiresAt !== null && Date.parse(expiresAt) <= now;
      const summary = { kind, holder: null, expiresAt, isExpired, message: 'Licensed.' };
      return (await licenseCheck(summary, now).check()).state;
    };
    expect([await stateOf('none'), await stateOf('invalid'), await stateOf('text')]).toEqual([
      'warning',
      'error',
      'ok',
    ]);
    const ends = ['2026-05-01T00:00:00Z', '2026-06-20T00:00:00Z', '2027-01-01T00:00:00Z', null];
    expect(await Promise.all(ends.map((end) => stateOf('signed', end)))).toEqual([
      'error',
      'warning',
      'ok',
      'ok',
    ]);
  });

  it('reports a database that does not answer, and is answered itself', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    vi.spyOn(app.store, 'ping').mockRejectedValue(new Error('secret address'));
    const { status, text } = await admin.get('/api/status');
    expect(status).toBe(200);
    expect(text).toContain('It does not answer');
    expect(text).not.toContain('secret address');
  });

  it('is complete when one check throws or hangs', async () => {
    vi.useFakeTimers();
    const { logs, lines } = memoryLogs();
    const checks = runChecks(
      [
        { name: 'fine', check: async () => ({ state: 'ok', sentence: 'Fine.' }) },
        { name: 'broken', check: () => Promise.reject(new Error('secret')) },
        { name: 'hanging', check: () => new Promise(() => undefined) },
      ],
      logs.system,
    );
    await vi.advanceTimersByTimeAsync(5000);
    vi.useRealTimers();
    expect(await checks).toEqual([
      { name: 'fine', state: 'ok', sentence: 'Fine.' },
      {
        name: 'broken',
        state: 'error',
        sentence: 'It could not be looked at: the system log has the details.',
      },
      { name: 'hanging', state: 'error', sentence: 'It did not answer within 5 seconds.' },
    ]);
    expect(lines.join('')).toContain('"check":"broken"');
  });

  it('says what waits for another version to stop', async () => {
    expect(pendingChangeChecks({ pendingChanges: () => [] }, 'postgres')).toEqual([]);
    const [upgrade] = pendingChangeChecks({ pendingChanges: () => ['an index on users.role'] }, 'postgres');
    expect(await upgrade?.check()).toMatchObject({
      state: 'warning',
      sentence: expect.stringContaining('wait until it has stopped: an index on users.role.'),
    });
  });

  it('warns of a disk that fills before it is full', () => {
    const MB = 1024 ** 2;
    expect([100 * MB, 500 * MB, 5000 * MB].map((free) => roomLeft(free).state)).toEqual([
      'error',
      'warning',
      'ok',
    ]);
  });
});
