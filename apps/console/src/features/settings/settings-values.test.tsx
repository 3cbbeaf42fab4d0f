import { limits } from '@kaptain/contract/limits';
import { SettingsUpdate } from '@kaptain/contract/settings/settings';
import { describe, expect, test } from 'vitest';
import { defaultVariant } from '../../variants/default.tsx';
import { settingsDifference } from './changes/settings-difference.ts';
import { freshSettings, fullSettings } from './settings-fixture.ts';
import { isCertificateUsed, type SettingsValues, toBody, toForm } from './settings-values.ts';

const wire = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const words = defaultVariant.words;

/** The form after a change, as the page sends it. */
function sent(change: (values: SettingsValues) => void, info = fullSettings()) {
  const values = structuredClone(toForm(info));
  change(values);
  return wire(toBody(values, info)) as ReturnType<typeof fullSettings>;
}

describe('the form of the settings', () => {
  test('sends back exactly what it was given, whatever else a service keeps in there', () => {
    const info = fullSettings({ custom: { a: 1 }, snowflake: { SNOWFLAKE_ACCOUNT: 'x', own: true } });
    const { generation, ...saved } = info;
    expect(toBody(toForm(info), info)).toMatchObject(saved);
    expect(toBody(toForm(info), info)).not.toMatchObject({ generation });
    expect(settingsDifference(info, toBody(toForm(info), info), words)).toEqual([]);
  });

  test('sends the number of backups as a number, and no backups to a service that has none', () => {
    const kept = sent((values) => {
      values.backup = { ...values.backup, every: 'day', keep: ' 5 ' };
    });
    expect(kept.backup).toEqual({ every: 'day', hour: 2, keep: 5, folder: '' });
    expect(sent(() => undefined, fullSettings({ backup: undefined }))).not.toHaveProperty('backup');
  });

  test('fills in every default of the specification where a service has nothing', () => {
    const form = toForm(
      fullSettings({ settings: {}, hosts: undefined, db: undefined, security: undefined, system: undefined }),
    );
    expect(form).toMatchObject({
      settings: { https: false, apiKey: false, qlikHost: 'CERT', corsAllowOrigins: [] },
      security: { signExpiresIn: { number: 24, timeUnit: 'h' } },
      hosts: {
        CERT: { useQlikLocalCertificates: true, userIdAttr: 'userId', userDirectoryAttr: 'userDirectory' },
      },
      system: { logLevel: 'info' },
    });
  });

  test('is accepted by the contract in every mode, with the hidden values of the specification', () => {
    const desktop = sent((values) => {
      values.settings['qlikHost'] = 'DESKTOP';
    });
    expect(desktop.hosts).toMatchObject({
      CERT: { hostname: 'qlik.example.com:4747' },
      DESKTOP: { mode: 'DESKTOP', hostname: 'localhost:9076', prefix: '', isSecure: false },
    });
    const saas = sent((values) => {
      values.settings['qlikHost'] = 'SAAS';
      values.hosts.SAAS = { hostname: ' tenant.example.com ', apiKey: ' key ' };
    });
    expect(saas.hosts?.['SAAS']).toEqual({
      mode: 'SAAS',
      schema: 'enigma.js/schemas/12.20.0.json',
      hostname: 'tenant.example.com',
      apiKey: ' key ',
    });
    for (const body of [desktop, saas]) expect(SettingsUpdate.safeParse(body).error).toBeUndefined();
  });

  test('leaves out what was begun for another mode, the built-in database and removed data sources', () => {
    const body = sent((values) => {
      values.hosts.JWT = { hostname: 'half' };
      values.db['KAPTAIN_DB'] = '';
      values.temporary.dataSources = [];
    });
    expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['db']));
    expect(body).not.toHaveProperty('mysql');
    expect(body).not.toHaveProperty('temporary');
    expect(body.hosts).not.toHaveProperty('JWT');
  });

  test('turns typed numbers into numbers, and HTTPS off turns PFX off and clears its password', () => {
    const body = sent((values) => {
      values.db['KAPTAIN_DB_PORT'] = ' 5433 ';
      values.security.signExpiresIn['number'] = '8';
      Object.assign(values.settings, { https: false, usePfxCertificate: true, pfxPassword: 'x', hsts: true });
    });
    expect(body).toMatchObject({
      db: { KAPTAIN_DB_PORT: 5433 },
      security: { signExpiresIn: { number: 8 } },
      settings: { usePfxCertificate: false, pfxPassword: '', hsts: false },
    });
  });
});

test('a limit of creators is sent once it is set, and an emptied one becomes the default', () => {
  const sentWith = (settings: object, typed: string) => {
    const info = freshSettings();
    const known = { ...info, settings: { ...info.settings, ...settings } };
    return sent((values) => {
      values.settings['kapsulesPerCreator'] = typed;
    }, known)['settings'];
  };
  expect(sentWith({}, '')).not.toHaveProperty('kapsulesPerCreator');
  expect(sentWith({}, ' 40 ')).toMatchObject({ kapsulesPerCreator: 40 });
  expect(sentWith({ kapsulesPerCreator: 40 }, '')).toMatchObject({
    kapsulesPerCreator: limits.kapsulesPerCreator,
  });
});

test('the platform of a fresh installation counts as used once its user or anything of its host is entered', () => {
  const { hosts, settings } = toForm(freshSettings());
  expect(isCertificateUsed({ hosts, settings })).toBe(false);
  for (const entered of [{ userId: 'sa_api' }, { userDirectory: 'INTERNAL' }])
    expect(isCertificateUsed({ hosts, settings: { ...settings, ...entered } })).toBe(true);
  expect(isCertificateUsed({ hosts: { ...hosts, CERT: { ...hosts.CERT, prefix: 'hub' } }, settings })).toBe(
    true,
  );
});

describe('a difference', () => {
  const changes = (change: (values: SettingsValues) => void, info = fullSettings()) =>
    settingsDifference(toBody(toForm(info), info), sent(change, info), words).map(
      ({ group, label, before, after }) => `${group} · ${label}: ${before} → ${after}`,
    );

  test('names fields in the words of the page and never shows a secret', () => {
    expect(
      changes((values) => {
        values.settings['apiKey'] = true;
        values.settings['corsAllowOrigins'] = [];
        values.security.signExpiresIn['number'] = '8';
        values.db['KAPTAIN_DB_PASS'] = 'canary';
        values.license['LICENSE_TEXT'] = 'x'.repeat(1200);
        (values['mysql'] as Record<string, unknown>)['MYSQL_PASSWORD'] = '';
      }),
    ).toEqual([
      'System · Qlik Hub URL: https://hub.example.com → –',
      'System · API Key: off → on',
      'Security · Sign Expires In: 24 hours → 8 hours',
      'Database settings · Password: set → a new value',
      'MySQL · Password: set → not set',
      'License · License text: – → 1,200 characters',
    ]);
  });

  test('tells a data source that came or went as one change', () => {
    expect(
      changes((values) => {
        values.temporary.dataSources = ['snowflake'];
        values['snowflake'] = { SNOWFLAKE_ACCOUNT: 'acme', SNOWFLAKE_PASSWORD: 'canary' };
      }),
    ).toEqual([
      'MySQL · Removed: mysql.example.com · 3306 · kaptain · notes → removed',
      'Snowflake · Added: – → acme',
    ]);
  });
});
