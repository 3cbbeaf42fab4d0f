import { SettingsInfo } from '@kaptain/contract/settings/settings';
import { emptyDb, emptyHosts } from '@kaptain/contract/settings/untouched';

/** The last restart, as our service reports it. */
export const settingsState = {
  generation: 7,
  running: 7,
  isHttps: false,
  lastApply: { status: 'applied', generation: 7, at: '2026-03-04T05:06:07Z', reason: null },
  license: { kind: 'none', holder: null, expiresAt: null, isExpired: false, message: '' },
} as const;

/** Settings with a value in every field, as a service sends them: secrets masked. */
export const fullSettings = (change: Record<string, unknown> = {}): SettingsInfo =>
  SettingsInfo.parse({
    generation: 7,
    settings: {
      port: 8000,
      https: false,
      hsts: false,
      usePfxCertificate: false,
      pfxPassword: '',
      corsAllowOrigins: ['https://hub.example.com'],
      apiKey: false,
      qlikHost: 'CERT',
      userId: 'sa_api',
      userDirectory: 'INTERNAL',
    },
    security: { signExpiresIn: { number: 24, timeUnit: 'h' } },
    hosts: {
      CERT: {
        mode: 'CERT',
        schema: 'enigma.js/schemas/12.20.0.json',
        hostname: 'qlik.example.com:4747',
        qrsHostname: '',
        prefix: '',
        isSecure: true,
        userIdAttr: 'userId',
        userDirectoryAttr: 'userDirectory',
        useQlikLocalCertificates: true,
        qlikLocalCertificatesRoot: '',
        certFile: '',
        keyFile: '',
        caFile: '',
      },
    },
    db: {
      KAPTAIN_DB: 'postgres',
      KAPTAIN_DB_HOST: 'db.example.com',
      KAPTAIN_DB_PORT: 5432,
      KAPTAIN_DB_USER: 'kaptain',
      KAPTAIN_DB_PASS: '********',
      KAPTAIN_DB_NAME: 'kaptain',
      KAPTAIN_DB_USESSL: false,
      DO_NOT_SHOW_IN_KOMMENT: false,
    },
    license: { LICENSE_TEXT: '' },
    system: { logLevel: 'info', logPath: '' },
    backup: { every: 'never', hour: 2, keep: 7, folder: '' },
    mysql: {
      MYSQL_POOL: 0,
      MYSQL_SERVER: 'mysql.example.com',
      MYSQL_PORT: 3306,
      MYSQL_USER: 'kaptain',
      MYSQL_PASSWORD: '********',
      MYSQL_DATABASE: 'notes',
    },
    ...change,
  });

/** Settings of an installation in which nothing was entered yet. */
export const freshSettings = (change: Record<string, unknown> = {}): SettingsInfo =>
  fullSettings({
    settings: { port: 8000, qlikHost: 'CERT', apiKey: false, userId: '', userDirectory: '' },
    hosts: emptyHosts,
    db: emptyDb,
    mysql: undefined,
    ...change,
  });
