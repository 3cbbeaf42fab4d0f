import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { backupBeforeUpgrade } from '../../base/database/backup-before-upgrade.ts';
import { memoryLogs } from '../../testing/memory-logs.ts';
import { kaptain } from '../../testing/run-command.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { type TestApp, testApp } from '../../testing/test-app.ts';
import { backupName, removeOld, scheduledBackups } from './backup-names.ts';
import { isDue, makeDueBackup, startBackups } from './scheduled-backups.ts';

const at = (text: string) => Date.parse(text);
const daily = { every: 'day', hour: 2, keep: 2, folder: '' } as const;

const depsOf = ({ store, settings, folder }: TestApp, clock: () => number) => ({
  store,
  settings,
  dataDir: folder,
  log: memoryLogs().logs.app,
  clock,
});

it.each([
  ['never', { ...daily, every: 'never' as const }, undefined, '2026-03-01T12:00:00Z', false],
  ['at once when there is none', daily, undefined, '2026-03-01T12:00:00Z', true],
  ['not before the hour', daily, '2026-03-01T02:00:10Z', '2026-03-02T01:59:59Z', false],
  ['at the hour', daily, '2026-03-01T02:00:10Z', '2026-03-02T02:00:00Z', true],
  ['when hours were missed', daily, '2026-03-01T02:00:10Z', '2026-03-09T17:00:00Z', true],
  [
    'not on a Saturday',
    { ...daily, every: 'week' as const },
    '2026-03-01T02:00:10Z',
    '2026-03-07T23:00:00Z',
    false,
  ],
  ['on a Sunday', { ...daily, every: 'week' as const }, '2026-03-01T02:00:10Z', '2026-03-08T02:00:00Z', true],
  ['after a clock that was ahead', daily, '2036-03-01T02:00:10Z', '2026-03-02T01:00:00Z', true],
])('is due %s', (_, settings, newest, now, expected) => {
  expect(isDue(settings, newest === undefined ? undefined : at(newest), at(now))).toBe(expected);
});

it('removes the oldest scheduled backups and what an interrupted one has left, and no other file', () => {
  using folder = temporaryFolder();
  const kept = ['mine.backup', 'before-upgrade-2026-01-01T00-00-00Z.backup', 'kaptain-notes.backup'];
  const days = ['01', '02', '03', '04'].map((day) => backupName(at(`2026-03-${day}T02:00:00Z`)));
  const [stale, recent] = [`${days[0]}.77.part`, `${days[1]}.78.part`];
  for (const name of [...kept, ...days, stale, recent]) writeFileSync(join(folder.path, name), '');
  utimesSync(join(folder.path, stale), 0, 0);
  expect(removeOld(folder.path, 2, Date.now()).sort()).toEqual(days.slice(0, 2));
  expect(readdirSync(folder.path).sort()).toEqual([...kept, ...days.slice(2), recent].sort());
  expect(scheduledBackups(folder.path).map(({ name }) => name)).toEqual([days[3], days[2]]);
  expect(scheduledBackups(join(folder.path, 'missing'))).toEqual([]);
});

it('makes backups by the settings, keeps as many as they say, and each can be restored', async () => {
  await using app = await testApp({ settingsFile: { settings: {}, backup: daily } });
  await app.asUser('Vera');
  const folder = join(app.folder, 'backups');
  let now = at('2026-03-01T12:00:00Z');
  const deps = depsOf(app, () => now);
  for (let day = 0; day < 3; day += 1) {
    expect(await makeDueBackup(deps)).toMatch(/^kaptain-2026-03-0\d/);
    expect(await makeDueBackup(deps)).toBeUndefined();
    now += 86_400_000;
  }
  const names = scheduledBackups(folder).map(({ name }) => name);
  expect(names).toEqual(['kaptain-2026-03-03T12-00-00Z.backup', 'kaptain-2026-03-02T12-00-00Z.backup']);
  const [entry] = await app.store.audit.recent({ where: { action: 'backup.create' }, limit: 1 });
  expect(entry).toMatchObject({
    actor: 'service',
    after: { file: names[0], removed: ['kaptain-2026-03-01T12-00-00Z.backup'] },
  });

  // The one before an upgrade is for people alone: no retention counts it.
  const file = join(app.folder, 'kaptain.db');
  const remove = backupBeforeUpgrade(app.folder, file, now);
  expect(scheduledBackups(folder)).toHaveLength(2);
  expect(readdirSync(folder)).toContain('before-upgrade-2026-03-04T12-00-00Z.backup');
  remove();
  expect(readdirSync(folder)).toHaveLength(2);
  expect(() => backupBeforeUpgrade(folder, join(folder, 'missing', 'kaptain.db'))).toThrow(
    /^This version must change the database, .* Nothing was changed\.$/,
  );

  const other = join(app.folder, 'other');
  const restored = await kaptain(other, 'restore', join(folder, names[1] ?? ''));
  expect(restored.code).toBe(0);
  const store = await openEmbeddedStore({ file: join(other, 'kaptain.db') });
  expect(await store.users.findBy('nameKey', 'vera')).toHaveLength(1);
  await store.close();
});

it('ends a backup that is being made when the service stops, and leaves nothing of it', async () => {
  await using app = await testApp({ settingsFile: { settings: {}, backup: daily } });
  const end = startBackups(depsOf(app, Date.now));
  await end();
  expect(readdirSync(join(app.folder, 'backups'))).toEqual([]);
});
