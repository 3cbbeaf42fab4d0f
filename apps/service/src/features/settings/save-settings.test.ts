import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore, type Store } from '@kaptain/store';
import { describe, expect, it } from 'vitest';
import { realFiles } from '../../config/settings/durable-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { testCertificate } from '../../testing/certificates.ts';
import { upload } from '../../testing/multipart.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

const GET = '/configuration/sys/get/info';
const PUT = '/configuration/sys/update/info';
const AGAIN = 'Please enter the password again';

const put = (caller: Caller, body: object, headers = {}) => caller.call('PUT', PUT, { body, headers });
const get = async (caller: Caller) => (await caller.get(GET)).body as Record<string, Record<string, unknown>>;
const saved = (app: TestApp) => app.settings.generations.numbers().length;

const mysql = {
  MYSQL_POOL: 0,
  MYSQL_SERVER: 'db.example',
  MYSQL_PORT: 3306,
  MYSQL_USER: 'u',
  MYSQL_PASSWORD: 'pw-1',
  MYSQL_DATABASE: 'd',
};

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

describe('secrets', () => {
  it('are kept by the mask or by omission, cleared by an empty text, and set by any other text', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const stored = () => app.settings.whole().mysql?.['MYSQL_PASSWORD'];
    const { MYSQL_PASSWORD: _, ...without } = mysql;
    const steps: [object, string][] = [
      [mysql, 'pw-1'],
      [{ ...mysql, MYSQL_PASSWORD: '********' }, 'pw-1'],
      [without, 'pw-1'],
      [{ ...mysql, MYSQL_PASSWORD: 'pw-2', MYSQL_SERVER: 'other.example' }, 'pw-2'],
      [{ ...mysql, MYSQL_PASSWORD: '', MYSQL_SERVER: 'other.example' }, ''],
    ];
    for (const [block, expected] of steps) {
      expect((await put(admin, { settings: {}, mysql: block })).status).toBe(200);
      expect(stored()).toBe(expected);
    }
    expect((await get(admin))['mysql']?.['MYSQL_PASSWORD']).toBe('');
    const masked = await put(admin, { settings: {}, mysql: { ...mysql, MYSQL_PASSWORD: '********' } });
    expect([masked.status, masked.body.message]).toEqual([400, AGAIN]);
  });

  const elsewhere: [string, object, object, string][] = [
    ['mysql', mysql, { MYSQL_SERVER: 'evil.example' }, 'mysql.MYSQL_PASSWORD'],
    ['mysql', mysql, { MYSQL_PORT: 3307 }, 'mysql.MYSQL_PASSWORD'],
    ['mysql', mysql, { MYSQL_USER: 'x' }, 'mysql.MYSQL_PASSWORD'],
    ['mysql', mysql, { MYSQL_DATABASE: 'x' }, 'mysql.MYSQL_PASSWORD'],
    [
      'snowflake',
      {
        SNOWFLAKE_ACCOUNT: 'a-b',
        SNOWFLAKE_USERNAME: 'u',
        SNOWFLAKE_PASSWORD: 'p',
        SNOWFLAKE_DATABASE: 'd',
        SNOWFLAKE_SCHEMA: 's',
      },
      { SNOWFLAKE_ACCOUNT: 'evil' },
      'snowflake.SNOWFLAKE_PASSWORD',
    ],
    [
      'mssql',
      { MSSQL_SERVER: 'h', MSSQL_PORT: 1433, MSSQL_USER: 'u', MSSQL_PASSWORD: 'p' },
      { OPTIONS: { trustServerCertificate: true } },
      'mssql.MSSQL_PASSWORD',
    ],
  ];

  it('are not sent to another target: a change of server, port, user, database, account or trust requires them again', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    for (const [type, block, change, field] of elsewhere) {
      expect((await put(admin, { settings: {}, [type]: block })).status).toBe(200);
      const before = saved(app);
      const shown = (await get(admin))[type];
      const answer = await put(admin, { settings: {}, [type]: { ...shown, ...change } });
      expect([answer.status, answer.body.message, answer.body['details']]).toEqual([400, AGAIN, { field }]);
      expect(saved(app)).toBe(before);
    }
  });

  it('of the tenant are not sent to another tenant', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const saas = (hostname: string, apiKey: string) => ({
      settings: { qlikHost: 'SAAS' },
      hosts: { SAAS: { hostname, apiKey } },
    });
    expect((await put(admin, saas('t.example', ''))).body.message).toBe('API Key is required!');
    expect((await put(admin, saas('t.example', 'k'))).status).toBe(200);
    expect((await put(admin, saas('t.example', '********'))).status).toBe(200);
    expect((await put(admin, saas('evil.example', '********'))).body.message).toBe(AGAIN);
  });
});

const cert = { hostname: 'q.example:4747', isSecure: true };
const oracle = { ORACLE_SERVER: 'h', ORACLE_PORT: 1521, ORACLE_USER: 'u', ORACLE_DATABASE: 'd' };

/** Settings that would break the service or read forbidden files; each error names its field. */
const poisoned: [what: string, body: object, field: string, message: RegExp][] = [
  ['https without files', { settings: { https: true } }, 'server.pem', /Server PEM is required!/],
  [
    'PFX without a file',
    { settings: { https: true, usePfxCertificate: true } },
    'server.pfx',
    /Server PFX is required!/,
  ],
  [
    'a bad origin',
    { settings: { corsAllowOrigins: ['hub'] } },
    'settings.corsAllowOrigins.0',
    /valid domain/,
  ],
  [
    'a session without end',
    { settings: {}, security: { signExpiresIn: { number: 9999, timeUnit: 'h' } } },
    'security.signExpiresIn',
    /between 0 and 720/,
  ],
  ['an unknown mode', { settings: { qlikHost: 'FTP' } }, 'settings.qlikHost', /not valid/],
  ['a log path outside', { settings: {}, system: { logPath: '/etc' } }, 'system.logPath', /allowedFolders/],
  [
    'a log path that climbs',
    { settings: {}, system: { logPath: '../x' } },
    'system.logPath',
    /allowedFolders/,
  ],
  [
    'a log path through a link',
    { settings: {}, system: { logPath: 'link/x' } },
    'system.logPath',
    /allowedFolders/,
  ],
  [
    'a log path that is a file',
    { settings: {}, system: { logPath: 'kaptain.db' } },
    'system.logPath',
    /can not write logs/,
  ],
  [
    'a backup folder outside',
    { settings: {}, backup: { folder: '/etc' } },
    'backup.folder',
    /allowedFolders/,
  ],
  ['no backup to keep', { settings: {}, backup: { keep: 0 } }, 'backup.keep', /between 1 and 365/],
  ['an unknown log level', { settings: {}, system: { logLevel: 'loud' } }, 'system.logLevel', /not valid/],
  [
    'a library outside',
    { settings: {}, oracle: { ...oracle, ORACLE_LIB: '/lib' } },
    'oracle.ORACLE_LIB',
    /allowedFolders/,
  ],
  [
    'a driver that is a path',
    { settings: {}, mssql: { MSSQL_SERVER: 'h', MSSQL_PORT: 1, MSSQL_USER: 'u', DRIVER: '../x' } },
    'mssql.DRIVER',
    /not a path/,
  ],
  ['no platform user', { settings: {}, hosts: { CERT: cert } }, 'settings.userId', /User ID is required!/],
  [
    'no certificate file',
    {
      settings: { userId: 'u', userDirectory: 'd' },
      hosts: { CERT: { ...cert, useQlikLocalCertificates: false } },
    },
    'hosts.CERT.certFile',
    /Certificate File is required!/,
  ],
  [
    'a certificate file outside',
    {
      settings: { userId: 'u', userDirectory: 'd' },
      hosts: {
        CERT: {
          ...cert,
          useQlikLocalCertificates: false,
          certFile: '/etc/passwd',
          keyFile: 'k',
          caFile: 'c',
        },
      },
    },
    'hosts.CERT.certFile',
    /allowedFolders/,
  ],
  [
    'a JWT key that is not there',
    { settings: { qlikHost: 'JWT' }, hosts: { JWT: { ...cert, keyFile: 'certificates/none.pem' } } },
    'hosts.JWT.keyFile',
    /upload it again/,
  ],
  [
    'a socket file as server',
    { settings: {}, mysql: { ...mysql, MYSQL_SERVER: '/run/mysql.sock' } },
    'mysql.MYSQL_SERVER',
    /not a valid host/,
  ],
  [
    'two options as server',
    { settings: {}, mysql: { ...mysql, MYSQL_SERVER: 'h;x=1' } },
    'mysql.MYSQL_SERVER',
    /not a valid host/,
  ],
  [
    'the address of the metadata',
    { settings: {}, mysql: { ...mysql, MYSQL_SERVER: '169.254.169.254' } },
    'mysql.MYSQL_SERVER',
    /not a valid host/,
  ],
  [
    'the address of the metadata as one number',
    { settings: {}, mysql: { ...mysql, MYSQL_SERVER: '2852039166' } },
    'mysql.MYSQL_SERVER',
    /not a valid host/,
  ],
  [
    'the address of the metadata as a platform',
    { settings: { qlikHost: 'SAAS' }, hosts: { SAAS: { hostname: '169.254.169.254', apiKey: 'k' } } },
    'hosts.SAAS.hostname',
    /not a valid host/,
  ],
  [
    'a mode with nothing entered for it',
    { settings: { qlikHost: 'SAAS' }, hosts: {} },
    'hosts.SAAS.hostname',
    /^Tenant Hostname is required!$/,
  ],
  [
    'a port that JavaScript would take for one',
    { settings: {}, mysql: { ...mysql, MYSQL_PORT: true } },
    'mysql.MYSQL_PORT',
    /^Port is not a valid number!$/,
  ],
  [
    'blanks as user',
    { settings: {}, mysql: { ...mysql, MYSQL_USER: '  ' } },
    'mysql.MYSQL_USER',
    /^User is required!$/,
  ],
  [
    'a port that is none',
    { settings: {}, mysql: { ...mysql, MYSQL_PORT: 70_000 } },
    'mysql.MYSQL_PORT',
    /between 1 and 65535/,
  ],
  [
    'a database that is down',
    {
      settings: {},
      db: {
        KAPTAIN_DB: 'postgres',
        KAPTAIN_DB_HOST: '127.0.0.1',
        KAPTAIN_DB_PORT: 1,
        KAPTAIN_DB_USER: 'u',
        KAPTAIN_DB_PASS: 'p',
        KAPTAIN_DB_NAME: 'n',
      },
    },
    'db.KAPTAIN_DB_HOST',
    /can not be used\. No server answers there/,
  ],
];

describe('harmful settings', () => {
  it('are refused by their first field, and the service keeps its settings', async () => {
    const down = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    await using app = await testApp({ openDatabase: down });
    const admin = await app.asAdmin();
    mkdirSync(join(app.folder, 'elsewhere-of-the-test'));
    symlinkSync('/', join(app.folder, 'link'));
    const outcomes: unknown[] = [];
    for (const [what, body] of poisoned) {
      const { status, body: answer } = await put(admin, body);
      outcomes.push([
        what,
        status,
        (answer['details'] as { field: string } | undefined)?.field,
        answer.message,
      ]);
    }
    expect(outcomes).toEqual(
      poisoned.map(([what, , field, message]) => [what, 400, field, expect.stringMatching(message)]),
    );
    expect(saved(app)).toBe(0);
    expect((await admin.get(GET)).status).toBe(200);
  });
});

describe('certificates', () => {
  const send = (caller: Caller, name: string, file: string) =>
    upload(caller, `/configuration/sys/upload/file/${name}`, [
      { field: 'file', name, content: testCertificate(file) },
    ]);
  const has = async (caller: Caller, name: string) =>
    (await caller.get(`/configuration/sys/has/file/kaptain/${encodeURIComponent(name)}`)).status;
  const pem = { https: true, hsts: true };
  const pfx = (pfxPassword: string) => ({ https: true, usePfxCertificate: true, pfxPassword });

  it('are stored beside the active ones until the settings that use them are saved', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    expect(await has(admin, 'server.pem')).toBe(404);
    for (const name of ['server.pem', 'server_key.pem']) {
      const answer = await send(admin, name, name);
      expect([answer.status, answer.text]).toEqual([200, name]);
      expect(await has(admin, name)).toBe(200);
    }
    expect(app.settings.serverFiles()).toEqual({});
    expect((await put(admin, { settings: pem })).status).toBe(200);
    const stored = app.settings.serverFiles()['server.pem'] ?? '';
    expect(readFileSync(join(app.folder, 'certificates', stored))).toEqual(testCertificate('server.pem'));
    expect(readdirSync(join(app.folder, 'certificates', 'staged'))).toEqual([]);
    expect(await has(admin, 'server.pem')).toBe(200);
    for (const name of ['../kaptain.db', 'kaptain.json', stored.replace(/^./, 'x')])
      expect([name, await has(admin, name)]).toEqual([name, 404]);
  });

  const unusable: [string, Record<string, string>, object, string, RegExp][] = [
    [
      'a key of another certificate',
      { 'server.pem': 'server.pem', 'server_key.pem': 'other_key.pem' },
      pem,
      'server_key.pem',
      /does not belong/,
    ],
    [
      'an expired one',
      { 'server.pem': 'expired.pem', 'server_key.pem': 'server_key.pem' },
      pem,
      'server.pem',
      /expired on 2021-01-01/,
    ],
    [
      'one of the future',
      { 'server.pem': 'future.pem', 'server_key.pem': 'server_key.pem' },
      pem,
      'server.pem',
      /not valid before 2090-01-01/,
    ],
    [
      'a wrong PFX password',
      { 'server.pfx': 'server.pfx' },
      pfx('wrong'),
      'settings.pfxPassword',
      /does not fit/,
    ],
    ['a legacy PFX', { 'server.pfx': 'legacy.pfx' }, pfx('secret'), 'server.pfx', /outdated encryption/],
    ['a PFX without key', { 'server.pfx': 'keyless.pfx' }, pfx('secret'), 'server.pfx', /no private key/],
    ['an expired PFX', { 'server.pfx': 'expired.pfx' }, pfx('secret'), 'server.pfx', /expired on/],
  ];

  it('that can not work are refused by their file, and nothing is stored', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    for (const [what, files, settings, field, message] of unusable) {
      for (const [name, file] of Object.entries(files))
        expect((await send(admin, name, file)).status).toBe(200);
      const answer = await put(admin, { settings });
      expect([what, answer.status, answer.body['details'], answer.body.message]).toEqual([
        what,
        400,
        { field },
        expect.stringMatching(message),
      ]);
    }
    expect([saved(app), app.settings.serverFiles()]).toEqual([0, {}]);
  });

  it('that are no certificates are refused at the upload, each with its own message', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const cases: [string, string, RegExp][] = [
      ['server.pem', 'server_key.pem', /not a certificate/],
      ['server_key.pem', 'server.pem', /not a private key/],
      ['server_key.pem', 'locked_key.pem', /protected by a passphrase/],
      ['server.pfx', 'server.pem', /not a PFX file/],
    ];
    for (const [name, file, message] of cases)
      expect(await send(admin, name, file)).toMatchObject({
        status: 400,
        body: { message: expect.stringMatching(message) },
      });
    const big = [{ field: 'file', name: 'server.pem', content: 'x'.repeat(1024 * 1024 + 1) }];
    expect((await upload(admin, '/configuration/sys/upload/file/server.pem', big)).status).toBe(413);
    expect(await has(admin, 'server.pem')).toBe(404);
  });

  it('of the platform get a generated name, which the settings may use', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const file = [{ field: 'file', name: '../../evil.pem', content: testCertificate('server_key.pem') }];
    const { status, text } = await upload(admin, '/configuration/sys/import/file', file);
    expect([status, text]).toEqual([
      200,
      expect.stringMatching(/^certificates\/[0-9a-f]{32}-platform\.pem$/),
    ]);
    expect([await has(admin, text), await has(admin, text.split('/')[1] ?? '')]).toEqual([200, 200]);
    const jwt = { settings: { qlikHost: 'JWT' }, hosts: { JWT: { hostname: 'q.example', keyFile: text } } };
    expect((await put(admin, jwt)).status).toBe(200);
  });

  it('need the password again when another PFX replaces the first', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    await send(admin, 'server.pfx', 'server.pfx');
    expect((await put(admin, { settings: pfx('secret') })).status).toBe(200);
    expect((await put(admin, await get(admin))).status).toBe(200);
    expect(saved(app)).toBe(1);
    await send(admin, 'server.pfx', 'legacy.pfx');
    expect((await put(admin, await get(admin))).body.message).toBe(AGAIN);
  });
});

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
