import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { folderOf, releasedVersions } from '../../../../../tools/released-data/released.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { nothingSaved } from './settings/generations.ts';
import { normalised } from './settings/normalised.ts';
import { openSettings } from './settings.ts';

const DAY = 24 * 3_600_000;
const by = nothingSaved().by;

const save = (dataDir: string, given: object) => {
  const { generations } = openSettings({ dataDir });
  const settings = normalised(SettingsUpdate.parse(given));
  return generations.add({ at: new Date().toISOString(), by, changed: [], files: {}, settings })?.generation;
};
const file = (dataDir: string, number: number) => join(dataDir, 'settings', `00000${number}.json`);

it('has the defaults of SPEC 9 when nothing is saved', () => {
  using folder = temporaryFolder();
  expect(openSettings({ dataDir: folder.path }).current()).toEqual({
    apiKey: false,
    sessionLifeMs: DAY,
    adminsNeedSecondFactor: false,
    askAgain: false,
    passwordOnlyForAdmin: false,
    kapsuleLimits: { kapsules: 500, definitionBytes: 8 * 1024 * 1024 },
    corsAllowOrigins: [],
    logLevel: 'info',
    logPath: '',
  });
  expect(readdirSync(folder.path)).toEqual([]);
});

it.each([
  [{ number: 30, timeUnit: 's' }, 30_000],
  [{ number: 5, timeUnit: 'm' }, 300_000],
  [{ number: 2, timeUnit: 'h' }, 7_200_000],
  [{ number: 0, timeUnit: 'h' }, 0],
])('reads signExpiresIn %o', (signExpiresIn, ms) => {
  using folder = temporaryFolder();
  save(folder.path, { settings: { apiKey: true }, security: { signExpiresIn } });
  expect(openSettings({ dataDir: folder.path }).current()).toMatchObject({ apiKey: true, sessionLifeMs: ms });
});

it.each(releasedVersions)('reads the settings that version %s has saved, passwords included', (version) => {
  using folder = temporaryFolder();
  cpSync(join(folderOf(version), 'data-folder'), folder.path, { recursive: true });
  const { began, warnings } = openSettings({ dataDir: folder.path });
  expect(began.settings).toMatchObject(
    JSON.parse(readFileSync(join(folderOf(version), 'settings.json'), 'utf8')),
  );
  expect(warnings).toEqual([]);
});

describe('a settings.json of an earlier version', () => {
  it('becomes a generation, and its plain passwords are removed from the disk', () => {
    using folder = temporaryFolder();
    const old = join(folder.path, 'settings.json');
    writeFileSync(old, JSON.stringify({ settings: { https: true, pfxPassword: 'canary' } }));
    const settings = openSettings({ dataDir: folder.path });
    expect(settings.whole().settings).toMatchObject({ https: true, pfxPassword: 'canary' });
    expect(existsSync(old)).toBe(false);
    expect(readFileSync(file(folder.path, 1), 'utf8')).not.toContain('canary');
    expect(settings.began).toMatchObject({ generation: 1, by: { username: null } });
    expect(openSettings({ dataDir: folder.path }).whole().settings.pfxPassword).toBe('canary');
  });

  it('is imported once when the process died before it was removed', () => {
    using folder = temporaryFolder();
    for (const _ of [1, 2]) {
      writeFileSync(join(folder.path, 'settings.json'), '{"settings":{"apiKey":true}}');
      expect(openSettings({ dataDir: folder.path }).began.generation).toBe(1);
    }
  });

  it.each(['', '{', '{"settings":{"apiKey":"yes"}}'])(
    'is refused with a hint when it is damaged: %s',
    (text) => {
      using folder = temporaryFolder();
      writeFileSync(join(folder.path, 'settings.json'), text);
      expect(() => openSettings({ dataDir: folder.path })).toThrow(
        /settings\.json can't be read: correct it, or move it away/,
      );
      expect(readFileSync(join(folder.path, 'settings.json'), 'utf8')).toBe(text);
    },
  );
});

describe('generations', () => {
  it('are the last ten, numbered, in files that only the owner can read', () => {
    using folder = temporaryFolder();
    for (let count = 1; count <= 12; count++) save(folder.path, { settings: { userId: String(count) } });
    const { generations } = openSettings({ dataDir: folder.path });
    generations.prune(1);
    expect(generations.numbers()).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1]);
    // Windows has no file modes; there the data folder's permissions decide.
    const mode = process.platform === 'win32' ? 0o600 : statSync(file(folder.path, 9)).mode & 0o777;
    expect(mode).toBe(0o600);
  });

  it.each([0, 1, 100, 400])('fall back with a warning when the newest is cut at byte %i', (bytes) => {
    using folder = temporaryFolder();
    save(folder.path, { settings: { userId: 'old' } });
    save(folder.path, { settings: { userId: 'new' } });
    truncateSync(file(folder.path, 2), bytes);
    const settings = openSettings({ dataDir: folder.path });
    expect(settings.whole().settings.userId).toBe('old');
    expect(settings.warnings[0]).toMatch(/000002\.json are damaged; the ones before them are used/);
    expect(save(folder.path, { settings: { userId: 'newer' } })).toBe(3);
  });

  it('are refused when a byte has changed', () => {
    using folder = temporaryFolder();
    save(folder.path, { settings: { userId: 'old' } });
    const text = readFileSync(file(folder.path, 1), 'utf8');
    writeFileSync(file(folder.path, 1), text.replace('"old"', '"odd"'));
    expect(() => openSettings({ dataDir: folder.path })).toThrow("can't be read: restore them from a backup");
  });

  it('of a newer version are refused with a message, and stay as they are', () => {
    using folder = temporaryFolder();
    save(folder.path, { settings: {} });
    const text = readFileSync(file(folder.path, 1), 'utf8').replace('"version": 1', '"version": 2');
    writeFileSync(file(folder.path, 1), text);
    expect(() => openSettings({ dataDir: folder.path })).toThrow('written by a newer version of Kaptain');
    expect(readFileSync(file(folder.path, 1), 'utf8')).toBe(text);
  });

  it('that this version would refuse are used, whatever rule has become stricter', () => {
    using folder = temporaryFolder();
    const postgres = { KAPTAIN_DB: 'postgres', KAPTAIN_DB_HOST: 'db', KAPTAIN_DB_PORT: 5432 } as const;
    save(folder.path, { settings: {} });
    // As a version without these rules would have stored them.
    const stored = {
      settings: { corsAllowOrigins: ['no origin'], apiKey: 'yes', userId: 'ann' },
      security: { signExpiresIn: { number: 9_999, timeUnit: 'h' } },
      hosts: { JWT: { hostname: 'qlik' } },
      db: { ...postgres, KAPTAIN_DB_PASS: 'canary' },
    };
    const { generations } = openSettings({ dataDir: folder.path });
    const given = { at: '', by, changed: [], files: {}, settings: stored as unknown as SettingsUpdate };
    generations.add(given);
    const settings = openSettings({ dataDir: folder.path });
    expect(settings.began.generation).toBe(2);
    expect(settings.whole()).toMatchObject({
      ...stored,
      settings: { corsAllowOrigins: ['no origin'], apiKey: false, userId: 'ann', https: false },
    });
    const fields = settings.warnings.map((sentence) => /The setting (\S+) in/.exec(sentence)?.[1]);
    const refused = [
      'db',
      'hosts.JWT',
      'security.signExpiresIn',
      'settings.apiKey',
      'settings.corsAllowOrigins',
    ];
    expect(new Set(fields)).toEqual(new Set(refused));
  });

  it.each([
    [{ settings: { https: 'yes' } }],
    [{ settings: {}, db: { KAPTAIN_DB: 'cassandra', KAPTAIN_DB_HOST: 'db' } }],
    [{ settings: {}, db: 'postgres' }],
  ])('that do not tell the database or HTTPS are not replaced by defaults: %j', (stored) => {
    using folder = temporaryFolder();
    const { generations } = openSettings({ dataDir: folder.path });
    const settings = stored as unknown as SettingsUpdate;
    generations.add({ at: '', by, changed: [], files: {}, settings });
    expect(() => openSettings({ dataDir: folder.path })).toThrow("can't be read");
  });

  it('with which the service could not start are skipped', () => {
    using folder = temporaryFolder();
    save(folder.path, { settings: { userId: 'good' } });
    save(folder.path, { settings: { userId: 'bad' } });
    expect(
      openSettings({ dataDir: folder.path, failed: { generations: [2], hasRunBefore: true } }).whole()
        .settings.userId,
    ).toBe('good');
    const { generations } = openSettings({ dataDir: folder.path });
    generations.setMark(2, { status: 'rejected', at: '', reason: 'why' });
    expect(openSettings({ dataDir: folder.path }).whole().settings.userId).toBe('good');
  });

  it('can not be decrypted with another key, which is reported', () => {
    using folder = temporaryFolder();
    save(folder.path, { settings: {}, hosts: { SAAS: { hostname: 't', apiKey: 'canary' } } });
    writeFileSync(join(folder.path, 'keys', 'settings.key'), Buffer.alloc(32, 7));
    expect(() => openSettings({ dataDir: folder.path })).toThrow('restore keys/settings.key');
  });
});
