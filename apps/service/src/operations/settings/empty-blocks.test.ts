import { LOCAL_CERTIFICATES_ROOT, SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { appOfFile } from '../../testing/app-of-file.ts';
import type { Caller } from '../../testing/caller.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';

type Blocks = Record<string, Record<string, Record<string, unknown>>>;
const get = async (caller: Caller) =>
  (await caller.get('/configuration/sys/get/info')).body as Blocks & object;
const put = (caller: Caller, body: object) => caller.call('PUT', '/configuration/sys/update/info', { body });
const saved = (app: TestApp) => app.settings.generations.numbers().length;
const jwt = { mode: 'JWT', hostname: 'q.example', keyFile: 'certificates/none.pem' };
const postgres = {
  KAPTAIN_DB: 'postgres',
  KAPTAIN_DB_HOST: 'db.example',
  KAPTAIN_DB_PORT: 5432,
  KAPTAIN_DB_USER: 'u',
  KAPTAIN_DB_PASS: 'canary',
  KAPTAIN_DB_NAME: 'n',
};

const server = {
  qrsHostname: '',
  prefix: '',
  isSecure: true,
  userIdAttr: 'userId',
  userDirectoryAttr: 'userDirectory',
};
const schema = 'enigma.js/schemas/12.20.0.json';

/** For tests that change nothing. */
const shared = appOfFile();

describe('the answered settings', () => {
  it('always have db and all four hosts, with the defaults of the specification', async () => {
    const { hosts, db } = await get(shared.admin);
    expect(hosts).toEqual({
      CERT: {
        mode: 'CERT',
        schema,
        hostname: '',
        ...server,
        useQlikLocalCertificates: true,
        qlikLocalCertificatesRoot: LOCAL_CERTIFICATES_ROOT,
        certFile: '',
        keyFile: '',
        caFile: '',
      },
      JWT: { mode: 'JWT', schema, hostname: '', ...server, keyFile: '' },
      SAAS: { mode: 'SAAS', schema, hostname: '', apiKey: '' },
      DESKTOP: { mode: 'DESKTOP', schema, hostname: 'localhost:9076', prefix: '', isSecure: false },
    });
    expect(db).toEqual({
      KAPTAIN_DB: '',
      KAPTAIN_DB_HOST: '',
      KAPTAIN_DB_PORT: 5432,
      KAPTAIN_DB_USER: '',
      KAPTAIN_DB_PASS: '',
      KAPTAIN_DB_NAME: '',
      KAPTAIN_DB_USESSL: false,
      DO_NOT_SHOW_IN_KOMMENT: false,
    });
  });

  it('contain what was entered, with masked secrets', async () => {
    const settingsFile = {
      settings: {},
      hosts: { SAAS: { hostname: 't.example', apiKey: 'canary' } },
      db: postgres,
    };
    await using app = await testApp({ settingsFile });
    const { hosts, db } = await get(await app.asAdmin());
    expect(hosts?.['SAAS']).toMatchObject({ hostname: 't.example', apiKey: '********' });
    expect(hosts?.['JWT']).toMatchObject({ hostname: '' });
    expect(db).toMatchObject({ KAPTAIN_DB_HOST: 'db.example', KAPTAIN_DB_PASS: '********' });
  });

  it.each([
    ['nothing', {}],
    ['a tenant', { hosts: { SAAS: { hostname: 't.example', apiKey: 'canary' } } }],
    ['a database server', { db: postgres }],
    ['the desktop', { settings: { qlikHost: 'DESKTOP' }, hosts: { DESKTOP: {} } }],
  ])('sent back as they are change nothing on the disk: %s', async (_, file) => {
    await using app = await testApp({ settingsFile: { settings: {}, ...file } });
    const admin = await app.asAdmin();
    const [generations, whole] = [saved(app), app.settings.whole()];
    expect((await put(admin, await get(admin))).status).toBe(200);
    expect([saved(app), app.settings.whole()]).toEqual([generations, whole]);
  });
});

describe('an untouched block', () => {
  it('does not prevent a save, in any mode, and is not stored', async () => {
    await using app = await testApp();
    const admin = await app.asAdmin();
    const shown = await get(admin);
    const other = { ...shown, settings: { ...shown['settings'], apiKey: true } };
    expect((await put(admin, other)).status).toBe(200);
    expect(app.settings.whole()).toEqual(
      expect.objectContaining({ hosts: {}, settings: expect.objectContaining({ apiKey: true }) }),
    );
    expect(app.settings.whole()).not.toHaveProperty('db');
    // Another console may omit unknown fields, or send a hidden default as an empty text.
    const bare = {
      ...other,
      system: { logLevel: 'debug' },
      hosts: { CERT: { mode: 'CERT', hostname: '', qlikLocalCertificatesRoot: '' } },
    };
    expect((await put(admin, bare)).status).toBe(200);
  });

  const used: [string, object, string][] = [
    ['CERT', { prefix: 'hub' }, 'Engine Hostname is required!'],
    ['CERT', { useQlikLocalCertificates: false }, 'Engine Hostname is required!'],
    ['JWT', { hostname: 'q.example' }, 'Key File is required!'],
    ['JWT', { hostname: '  ', keyFile: 'k' }, 'Engine Hostname is required!'],
    ['SAAS', { apiKey: 'k' }, 'Tenant Hostname is required!'],
  ];
  it.each(used)('is checked once it is used: %s with %j', async (mode, block, message) => {
    const answer = await put(shared.admin, { settings: {}, hosts: { [mode]: block } });
    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  it('is refused for the mode that is chosen, and in place of a block that is in use', async () => {
    const settingsFile = { settings: {}, hosts: { JWT: jwt }, db: postgres };
    await using app = await testApp({ settingsFile });
    const admin = await app.asAdmin();
    const shown = await get(admin);
    const refusal = async (body: object) => (await put(admin, body)).body.message;
    const saas = { ...shown, settings: { qlikHost: 'SAAS' } };
    expect(await refusal(saas)).toBe('Tenant Hostname is required!');
    const emptyJwt = { hosts: { JWT: { mode: 'JWT', hostname: '', keyFile: '' } }, db: shown['db'] };
    expect(await refusal({ settings: {}, ...emptyJwt })).toBe('Engine Hostname is required!');
    const noType = {
      ...postgres,
      KAPTAIN_DB: '',
      KAPTAIN_DB_HOST: '',
      KAPTAIN_DB_USER: '',
      KAPTAIN_DB_NAME: '',
      KAPTAIN_DB_PASS: '',
    };
    expect(await refusal({ settings: {}, hosts: shown['hosts'], db: noType })).toBe('Type is required!');
    expect(
      await refusal({ settings: {}, hosts: shown['hosts'], db: { ...shown['db'], KAPTAIN_DB: '' } }),
    ).toBe('Type is required!');
    expect(app.settings.whole()).toEqual(expect.objectContaining({ db: expect.objectContaining(postgres) }));
  });
});

it('the database server needs what the specification lists', () => {
  const missing = Object.keys(postgres).flatMap((key) => {
    const { error } = SettingsUpdate.safeParse({ settings: {}, db: { ...postgres, [key]: '' } });
    return error?.issues.map(({ path, message }) => [path.join('.'), message]) ?? [];
  });
  expect(missing).toEqual([
    ['db.KAPTAIN_DB', 'Type is required!'],
    ['db.KAPTAIN_DB_HOST', 'Host is required!'],
    ['db.KAPTAIN_DB_PORT', 'Port is not a valid number!'],
    ['db.KAPTAIN_DB_USER', 'User is required!'],
    ['db.KAPTAIN_DB_NAME', 'Name is required!'],
  ]);
});
