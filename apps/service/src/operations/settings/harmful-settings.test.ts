import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GET, mysql, put, saved } from '../../testing/settings.ts';
import { testApp } from '../../testing/test-app.ts';

const cert = { hostname: 'q.example:4747', isSecure: true };
const oracle = { ORACLE_SERVER: 'h', ORACLE_PORT: 1521, ORACLE_USER: 'u', ORACLE_DATABASE: 'd' };
const postgres = {
  KAPTAIN_DB: 'postgres',
  KAPTAIN_DB_PORT: 1,
  KAPTAIN_DB_USER: 'u',
  KAPTAIN_DB_PASS: 'p',
  KAPTAIN_DB_NAME: 'n',
};

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
  ...['127.0.0.1', 'db-1:5433,db-2', '[::1]:5433,::1'].map((host): (typeof poisoned)[number] => [
    `a database that is down: ${host}`,
    { settings: {}, db: { ...postgres, KAPTAIN_DB_HOST: host } },
    'db.KAPTAIN_DB_HOST',
    /can not be used\. No server answers there/,
  ]),
  ...['db,', 'db,169.254.169.254:80', 'db,0xa9fea9fe', 'db:0', 'db,/tmp', 'db,u@x', 'db:5432:1'].map(
    (host): (typeof poisoned)[number] => [
      `hosts of a database of which one is none: ${host}`,
      { settings: {}, db: { ...postgres, KAPTAIN_DB_HOST: host } },
      'db.KAPTAIN_DB_HOST',
      /^Host is not a valid host name\.$/,
    ],
  ),
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
