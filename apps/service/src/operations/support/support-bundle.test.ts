import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { kaptain } from '../../testing/run-command.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { PASSWORD, type TestApp, testApp } from '../../testing/test-app.ts';
import { secretRemover, withoutValues } from './redact.ts';

const PATH = '/api/status/support-bundle';
const canary = (name: string) => `canary-${name}-7f3a`;

const settingsFile = {
  settings: { pfxPassword: canary('pfx'), userId: canary('platform-user'), qlikHost: 'SAAS' },
  hosts: { SAAS: { hostname: '127.0.0.1:1', apiKey: canary('saas-key') } },
  license: { LICENSE_TEXT: canary('license') },
  mysql: {
    MYSQL_POOL: 0,
    MYSQL_SERVER: '127.0.0.1',
    MYSQL_PORT: 1,
    MYSQL_USER: canary('mysql-user'),
    MYSQL_PASSWORD: canary('mysql-password'),
    MYSQL_DATABASE: 'k',
  },
};

/** A service in which people have worked; its log lines are in its log folder. */
async function usedApp(): Promise<TestApp> {
  const app = await testApp({ settingsFile });
  const admin = await app.asAdmin();
  await app.asUser(canary('user'));
  const { body } = await admin.post('/api/kapsule', {
    name: canary('kapsule'),
    keyField: 'ID',
    fields: [{ name: 'Comment', type: 'text' }],
  });
  const id = String(body['_id']);
  const granules = [{ key: canary('row'), data: { Comment: canary('comment') } }];
  expect((await admin.call('PUT', `/api/kapsule/${id}/granules`, { body: { granules } })).status).toBe(200);
  await admin.get(`/api/kapsule/${canary('path')}?search=${canary('search')}`);
  await app.asNobody.post('/auth/login', { username: canary('user'), password: canary('wrong-password') });
  await app.asNobody.get(`/${canary('unknown-path')}`, { 'user-agent': canary('agent') });
  const err = {
    type: 'Error',
    code: '23505',
    message: `Key (name)=(${canary('stored')}) exists, "${canary('quoted')}" of x@${canary('mail')}.example`,
    stack: `Error: ${canary('stack')}\n    at insert (/srv/${canary('folder')}/app/documents.ts:12:3)`,
  };
  const lines = [
    ...app.logLines,
    `${JSON.stringify({ level: 'error', time: 'now', requestId: 'r1', err, body: canary('body'), msg: 'request failed' })}\n`,
    `${canary('no-json')}\n`,
  ];
  mkdirSync(join(app.folder, 'logs'), { recursive: true });
  writeFileSync(join(app.folder, 'logs', 'system-current.log'), lines.join(''));
  writeFileSync(join(app.folder, 'logs', 'app-current.log'), lines.join(''));
  return app;
}

afterEach(() => vi.unstubAllEnvs());

interface Bundle {
  versions: { kaptain: string; node: string };
  settings: { settings: Record<string, unknown>; mysql: Record<string, unknown> };
  variables: Record<string, string>;
  checks: { name: string; state: string }[];
  database: { kind: string; schemaVersion: number; sizes: Record<string, number> };
  dataFolder: Record<string, number>;
  logs: Record<'system' | 'app', Record<string, unknown>[]>;
}

function expectUseful(bundle: Bundle): void {
  expect(bundle.settings.mysql).toMatchObject({ MYSQL_SERVER: '127.0.0.1', MYSQL_PASSWORD: '********' });
  expect(bundle.checks.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Database', 'MySQL', 'Platform', 'License', 'Disk']),
  );
  expect(bundle.database).toMatchObject({ kind: 'embedded', sizes: { users: 2, kapsules: 1, granules: 1 } });
  expect(bundle.database.schemaVersion).toBeGreaterThan(0);
  expect(bundle.dataFolder['kaptain.db']).toBeGreaterThan(0);
  const { system } = bundle.logs;
  expect(system).toContainEqual(
    expect.objectContaining({ msg: 'request', method: 'GET', path: '/api/kapsule/:id', status: 404 }),
  );
  expect(system).toContainEqual(
    expect.objectContaining({
      requestId: 'r1',
      err: {
        type: 'Error',
        code: '23505',
        message: expect.stringContaining('Key (name)… exists'),
        stack: ['at insert (documents.ts:12:3)'],
      },
    }),
  );
  expect(system).toContainEqual(
    expect.objectContaining({ action: 'session.loginRefused', user: expect.stringMatching(/^user \d+$/) }),
  );
}

describe('the support bundle', () => {
  it('helps support, and has no secret, no value of a granule and no name', async () => {
    for (const name of ['KAPTAIN_PEPPER', 'SETUP_TOKEN', 'KAPTAIN_METRICS', 'KAPTAIN_DB_PASS'])
      vi.stubEnv(name, canary(name));
    await using app = await usedApp();
    const admin = await app.asAdmin();
    const { status, text, headers } = await admin.get(PATH);
    expect([status, headers['content-type']]).toEqual([200, 'application/json']);
    expect(headers['content-disposition']).toMatch(/^attachment; filename="kaptain-support-[\d-]+\.json"/);
    expect(text).not.toContain('canary');
    for (const secret of [PASSWORD, String(admin.token)]) expect(text).not.toContain(secret);
    const bundle = JSON.parse(text) as Bundle;
    expect(bundle.versions).toEqual({
      kaptain: '9.8.7',
      node: process.versions.node,
      system: expect.any(String),
    });
    expect(bundle.variables).toMatchObject({ KAPTAIN_PEPPER: '(set)', SETUP_TOKEN: '(set)' });
    expectUseful(bundle);
    const [entry] = await app.store.audit.recent({ where: { action: 'support.bundle' }, limit: 1 });
    expect(entry).toMatchObject({ actor: 'admin', result: 'ok' });
  });

  it('is for ADMINs alone, and a HEAD request makes none', async () => {
    await using app = await testApp();
    expect((await app.asNobody.get(PATH)).status).toBe(401);
    expect((await (await app.asUser('vera')).get(PATH)).status).toBe(403);
    expect((await (await app.asAdmin()).call('HEAD', PATH)).status).toBe(200);
    expect(await app.store.audit.recent({ where: { action: 'support.bundle' }, limit: 1 })).toEqual([]);
  });

  it('is written by the command line too, to a new file that others can not read', async () => {
    await using app = await usedApp();
    const file = join(app.folder, 'bundle.json');
    const { code, text } = await kaptain(app.folder, 'support', file);
    expect([code, text]).toEqual([0, `${file} was written. Read it before you send it.`]);
    const written = readFileSync(file, 'utf8');
    expect(written).not.toContain('canary');
    expectUseful(JSON.parse(written) as Bundle);
    // Windows has no such modes.
    expect(process.platform === 'win32' ? 0o600 : statSync(file).mode & 0o777).toBe(0o600);
    const [entry] = await app.store.audit.recent({ where: { action: 'support.bundle' }, limit: 1 });
    expect(entry).toMatchObject({ actor: 'host' });
    const again = await kaptain(app.folder, 'support', file);
    expect([again.code, again.text]).toEqual([1, `${file} exists already: choose another name.`]);
    expect(readFileSync(file, 'utf8')).toBe(written);
  });

  it('is written also when the database can not be opened', async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'kaptain.db'), 'this is no database '.repeat(100));
    const file = join(folder.path, 'bundle.json');
    expect((await kaptain(folder.path, 'support', file)).code).toBe(0);
    const { checks, database } = JSON.parse(readFileSync(file, 'utf8')) as Bundle;
    expect(checks).toContainEqual(expect.objectContaining({ name: 'Database', state: 'error' }));
    expect(database).toEqual({ kind: 'embedded' });
  });
});

describe('redaction', () => {
  it('removes values from sentences and keeps the rest', () => {
    expect(withoutValues('“Reload Sales” failed: Field not found.')).toBe('… failed: Field not found.');
    expect(withoutValues('Key (name)=(Vera) exists')).toBe('Key (name)… exists');
    expect(withoutValues('connect ECONNREFUSED 10.1.2.3:5432')).toBe('connect ECONNREFUSED …:5432');
    expect(withoutValues('The service did not become ready in time.')).toBe(
      'The service did not become ready in time.',
    );
  });

  it('removes secrets, the longest first, and none that is too short to be one', () => {
    const remove = secretRemover(['p"ss\\word', 'p"ss\\word-longer', 'x']);
    expect(remove('p"ss\\word and p"ss\\word-longer, x')).toBe('… and …, x');
  });
});
