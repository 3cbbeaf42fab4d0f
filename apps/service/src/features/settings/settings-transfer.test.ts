import { generateKeyPairSync, sign } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigurationFile, SettingsUpdate } from '@kaptain/contract';
import {
  type Arbitrary,
  array,
  assert,
  asyncProperty,
  boolean,
  constantFrom,
  integer,
  option,
  record,
  string,
} from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nothingSaved } from '../../config/settings/generations.ts';
import { normalised } from '../../config/settings/normalised.ts';
import type { Caller } from '../../testing/caller.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { upload } from '../../testing/multipart.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const CONFIG = '/configuration/sys';
const CANARY = 'canary-4711';
const PASSPHRASE = 'open sesame please';

let app: TestApp;
let admin: Caller;
beforeAll(async () => {
  app = await testApp();
  admin = await app.asAdmin();
});
afterAll(() => app[Symbol.asyncDispose]());

const put = (caller: Caller, body: object) => caller.call('PUT', `${CONFIG}/update/info`, { body });
const get = async (caller: Caller) =>
  (await caller.get(`${CONFIG}/get/info`)).body as Record<string, unknown>;
const filesOf = ({ folder }: TestApp) =>
  readdirSync(join(folder, 'settings'))
    .sort()
    .map((name) => [name, readFileSync(join(folder, 'settings', name), 'utf8')]);

const text = string({ maxLength: 20, unit: 'grapheme' });
const needed = string({ minLength: 1, maxLength: 20 });
const port = integer({ min: 1, max: 65_535 });
const maybe = <T>(value: Arbitrary<T>) => option(value, { nil: undefined });

/** Any settings object that could have been saved, complete or not. */
const anySettings = record({
  settings: record({
    https: boolean(),
    hsts: boolean(),
    usePfxCertificate: boolean(),
    pfxPassword: maybe(text),
    corsAllowOrigins: array(constantFrom('https://a.example', 'http://b.example:81'), { maxLength: 3 }),
    apiKey: boolean(),
    qlikHost: constantFrom('CERT', 'JWT', 'SAAS', 'DESKTOP'),
    userId: text,
  }),
  security: record({
    signExpiresIn: record({ number: integer({ min: 0, max: 700 }), timeUnit: constantFrom('s', 'm', 'h') }),
  }),
  hosts: record({
    CERT: maybe(record({ hostname: needed, prefix: text, isSecure: boolean(), certFile: text })),
    JWT: maybe(record({ hostname: needed, keyFile: needed })),
    SAAS: maybe(record({ hostname: needed, apiKey: maybe(text) })),
    DESKTOP: maybe(record({})),
  }),
  db: maybe(
    record({
      KAPTAIN_DB: constantFrom('mongodb', 'postgres'),
      KAPTAIN_DB_HOST: needed,
      KAPTAIN_DB_PORT: port,
      KAPTAIN_DB_USER: needed,
      KAPTAIN_DB_PASS: maybe(text),
      KAPTAIN_DB_NAME: needed,
    }),
  ),
  license: record({ LICENSE_TEXT: text }),
  system: record({ logLevel: constantFrom('debug', 'warn', 'info', 'error'), logPath: text }),
  mssql: maybe(
    record({
      MSSQL_SERVER: needed,
      MSSQL_PORT: port,
      MSSQL_USER: needed,
      MSSQL_PASSWORD: maybe(text),
      OPTIONS: record({ encrypt: boolean() }),
    }),
  ),
  postgresql: maybe(
    record({
      POSTGRE_USER: needed,
      POSTGRE_SERVER: needed,
      POSTGRE_DATABASE: needed,
      POSTGRE_PORT: port,
      POSTGRE_PASSWORD: maybe(text),
    }),
  ),
});

describe('settings that were read', () => {
  it('change no byte on the disk when they are saved again, for any settings', async () => {
    const { generations } = app.settings;
    const { by } = nothingSaved();
    await assert(
      asyncProperty(anySettings, async (given) => {
        const parsed = SettingsUpdate.safeParse(given);
        if (!parsed.success) return;
        generations.add({ at: '', by, changed: [], files: {}, settings: normalised(parsed.data) });
        generations.prune(0);
        const before = filesOf(app);
        const answer = await put(admin, await get(admin));
        expect([answer.status, answer.text]).toEqual([200, '{"status":"success"}']);
        expect(filesOf(app)).toEqual(before);
      }),
      { numRuns: Number(process.env['KAPTAIN_TEST_RUNS'] ?? 60) },
    );
  });
});

const secretive = {
  settings: {
    https: true,
    usePfxCertificate: true,
    pfxPassword: 'secret',
    qlikHost: 'SAAS',
    userId: 'moved',
  },
  hosts: { SAAS: { hostname: 'tenant.example', apiKey: CANARY } },
  mysql: {
    MYSQL_POOL: 0,
    MYSQL_SERVER: 'db.example',
    MYSQL_PORT: 3306,
    MYSQL_USER: 'u',
    MYSQL_PASSWORD: CANARY,
    MYSQL_DATABASE: 'd',
  },
};

describe('history and transfer', () => {
  it('show, compare and restore earlier settings, and move them to another server, without revealing a secret', async () => {
    await using here = await testApp();
    const chief = await here.asAdmin();
    const seen: string[] = [];
    const ask = async (caller: Caller, method: 'GET' | 'POST', path: string, body?: object) => {
      const answer = await caller.call(method, CONFIG + path, body ? { body } : {});
      seen.push(answer.text);
      return answer;
    };
    const pfx = [{ field: 'file', name: 'server.pfx', content: testCertificate('server.pfx') }];
    await upload(chief, `${CONFIG}/upload/file/server.pfx`, pfx);
    const key = [{ field: 'file', name: 'key.pem', content: testCertificate('other_key.pem') }];
    const { text: keyFile } = await upload(chief, `${CONFIG}/import/file`, key);
    const first = { ...secretive, hosts: { ...secretive.hosts, JWT: { hostname: 'q.example', keyFile } } };
    expect((await put(chief, first)).status).toBe(200);
    expect((await put(chief, { settings: { userId: 'later' } })).status).toBe(200);
    seen.push(JSON.stringify(await get(chief)));

    const history = (await ask(chief, 'GET', '/history')).body as unknown as object[];
    expect(history).toMatchObject([
      { generation: 2, by: 'admin', status: 'waiting', isCurrent: true },
      { generation: 1, by: 'admin', status: 'waiting', isCurrent: false },
    ]);
    expect((await ask(chief, 'GET', '/history/1')).body).toContainEqual({
      field: 'mysql.MYSQL_PASSWORD',
      before: null,
      after: '********',
    });
    expect((await ask(chief, 'GET', '/history/99')).status).toBe(404);
    expect((await ask(chief, 'POST', '/history/1')).status).toBe(200);
    expect(here.settings.whole()).toMatchObject(first);
    expect(here.settings.serverFiles()).toHaveProperty(['server.pfx']);
    expect((await ask(chief, 'GET', '/state')).body).toMatchObject({
      generation: 3,
      running: 0,
      lastApply: { status: 'waiting', generation: 3 },
      license: { kind: 'none' },
    });

    const bare = (await ask(chief, 'POST', '/transfer/export', {})).body as unknown as ConfigurationFile;
    const whole = (await ask(chief, 'POST', '/transfer/export', { passphrase: PASSPHRASE }))
      .body as unknown as ConfigurationFile;
    expect([bare.sealed, typeof whole.sealed?.data]).toEqual([undefined, 'string']);

    await using there = await testApp();
    const other = await there.asAdmin();
    const withPhrase = { file: whole, passphrase: PASSPHRASE };
    const preview = (await ask(other, 'POST', '/transfer/preview', withPhrase)).body;
    expect(preview).toMatchObject({ withSecrets: true, missingSecrets: [] });
    expect(preview['differences']).toContainEqual({ field: 'settings.https', before: 'off', after: 'on' });
    const wrong = await ask(other, 'POST', '/transfer/preview', { file: whole, passphrase: 'not this one' });
    expect([wrong.status, wrong.body.message]).toEqual([400, 'The passphrase does not fit this file.']);
    const withoutSecrets = await ask(other, 'POST', '/transfer/preview', { file: bare });
    expect(withoutSecrets.body['missingSecrets']).toEqual(['hosts.SAAS.apiKey', 'mysql.MYSQL_PASSWORD']);
    expect(there.settings.generations.numbers()).toEqual([]);
    expect((await ask(other, 'POST', '/transfer/import', { file: bare })).status).toBe(400);
    expect((await ask(other, 'POST', '/transfer/import', withPhrase)).status).toBe(200);
    expect(there.settings.whole()).toEqual(here.settings.whole());
    expect(readFileSync(join(there.folder, keyFile))).toEqual(testCertificate('other_key.pem'));
    const newer = { ...bare, version: 2 };
    expect((await ask(other, 'POST', '/transfer/preview', { file: newer })).body.message).toBe(
      'This configuration comes from a newer version of the service.',
    );

    const trails = [await here.store.audit.all(), await there.store.audit.all()];
    const disk = [filesOf(here), filesOf(there)];
    for (const place of [seen, here.logLines, there.logLines, trails, disk])
      expect(JSON.stringify(place)).not.toContain(CANARY);
    const actions = trails[1]?.map(({ action }) => action) ?? [];
    expect(actions).toContain('settings.import');
  });
});

describe('a restart', () => {
  it('is for ADMINs, tolerates an empty body with a content type, and is audited', async () => {
    const vera = await app.asUser('vera');
    const path = `${CONFIG}/restart/service`;
    expect([(await app.asNobody.post(path)).status, (await vera.post(path)).status]).toEqual([401, 403]);
    const answer = await admin.call('POST', path, {
      body: '',
      headers: { 'content-type': 'application/json' },
    });
    expect([answer.status, answer.body, app.restarts.asked]).toEqual([200, { status: 'restarting' }, 1]);
    expect(await app.store.audit.findBy('action', 'service.restart')).toMatchObject([{ actor: 'admin' }]);
  });
});

describe('a connection test', () => {
  const test = (target: string, settings: object) =>
    admin.call('POST', `${CONFIG}/test/connection`, { body: { target, settings } });

  it('reports its duration, or the category of the failure and a hint', async () => {
    expect((await test('database', {})).body).toMatchObject({
      ok: true,
      message: expect.stringMatching(/^Connected in \d+ ms\.$/),
    });
    const { mysql } = secretive;
    const closed = { ...mysql, MYSQL_SERVER: '127.0.0.1', MYSQL_PORT: 1, MYSQL_PASSWORD: CANARY };
    const refused = await test('mysql', { mysql: closed });
    expect(refused.body).toMatchObject({
      ok: false,
      category: 'refused',
      hint: expect.stringMatching(/firewall/),
    });
    const desktop = await test('platform', { settings: { qlikHost: 'DESKTOP' } });
    expect(desktop.body).toMatchObject({ ok: false, category: 'refused' });
    expect(JSON.stringify([refused, desktop, app.logLines])).not.toContain(CANARY);
  });

  it('reads no file outside the folders that settings may point into', async () => {
    const platform = (qlikHost: string, host: object) =>
      test('platform', {
        settings: { qlikHost, userId: 'u', userDirectory: 'd' },
        hosts: { [qlikHost]: { hostname: 'localhost:1', ...host } },
      });
    const own = { useQlikLocalCertificates: false, keyFile: 'k', caFile: 'c' };
    for (const answer of [
      await platform('CERT', { ...own, certFile: '/etc/passwd' }),
      await platform('CERT', { qlikLocalCertificatesRoot: '/etc' }),
      await platform('JWT', { keyFile: '/etc/passwd' }),
    ])
      expect([answer.status, answer.body.message]).toEqual([
        400,
        expect.stringMatching(/must lie inside the data folder/),
      ]);
  });

  it('uses a stored password only for the server it was entered for', async () => {
    const closed = { ...secretive.mysql, MYSQL_SERVER: '127.0.0.1', MYSQL_PORT: 1 };
    expect((await put(admin, { settings: {}, mysql: closed })).status).toBe(200);
    const masked = { ...closed, MYSQL_PASSWORD: '********' };
    expect((await test('mysql', { mysql: masked })).body).toMatchObject({ ok: false, category: 'refused' });
    const elsewhere = await test('mysql', { mysql: { ...masked, MYSQL_PORT: 2 } });
    expect([elsewhere.status, elsewhere.body.message]).toEqual([400, 'Please enter the password again']);
    expect((await test('oracle', {})).body.message).toBe('There is nothing entered to connect to yet.');
  });
});

describe('the license', () => {
  it('is summarised when signed, invalid when the signature is not ours, and accepted as text otherwise', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const licenseKey = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    await using licensed = await testApp({ licenseKey });
    const chief = await licensed.asAdmin();
    const signed = (payload: object, key = privateKey) => {
      const bytes = Buffer.from(JSON.stringify(payload));
      return `${bytes.toString('base64url')}.${sign(null, bytes, key).toString('base64url')}`;
    };
    const stranger = generateKeyPairSync('ed25519').privateKey;
    const holder = { holder: 'Acme', expiresAt: '2999-12-31' };
    const cases: [string, object][] = [
      ['', { kind: 'none' }],
      ['a plain text\nof any kind', { kind: 'text' }],
      [
        signed(holder),
        {
          kind: 'signed',
          holder: 'Acme',
          isExpired: false,
          message: 'Licensed to Acme, valid until 2999-12-31.',
        },
      ],
      [
        `-----BEGIN LICENSE-----\n${signed({ ...holder, expiresAt: '2020-01-01' })}\n-----END LICENSE-----`,
        { kind: 'signed', isExpired: true },
      ],
      [signed(holder, stranger), { kind: 'invalid', holder: null }],
    ];
    for (const [LICENSE_TEXT, expected] of cases) {
      expect((await put(chief, { settings: {}, license: { LICENSE_TEXT } })).status).toBe(200);
      const { body } = await chief.get(`${CONFIG}/state`);
      expect(body['license']).toMatchObject(expected);
      expect((await get(chief))['license']).toEqual({ LICENSE_TEXT });
    }
  });
});
