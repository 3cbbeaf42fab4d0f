import { rmSync, truncateSync } from 'node:fs';
import { SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
import { openSettings, settingsGenerations } from '../settings.ts';
import { type Mark, nothingSaved } from './generations.ts';
import { normalised } from './normalised.ts';
import { settingsNotices } from './notices.ts';

const saved = (settings: object) => ({
  ...nothingSaved(),
  at: '2026-03-01T08:30:00.000Z',
  settings: normalised(SettingsUpdate.parse(settings)),
});

const HTTPS = { settings: { https: true } };
const POSTGRES = {
  settings: {},
  db: {
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: 'db.example',
    KAPTAIN_DB_PORT: 5432,
    KAPTAIN_DB_USER: 'u',
    KAPTAIN_DB_PASS: 'canary',
    KAPTAIN_DB_NAME: 'n',
  },
};

/** A data folder with these generations, in their order. */
function folderWith(...all: [settings: object, status?: Mark['status']][]) {
  const folder = temporaryFolder();
  const generations = settingsGenerations({ dataDir: folder.path });
  for (const [settings, status] of all) {
    const generation = generations.add(saved(settings))?.generation ?? 0;
    const reason = status === 'rejected' ? 'It did not answer' : null;
    if (status) generations.setMark(generation, { status, at: '', reason });
  }
  const open = (failed: number[] = [], hasRunBefore = false) =>
    openSettings({
      dataDir: folder.path,
      failed: failed.length === 0 ? undefined : { generations: failed, hasRunBefore },
    });
  return { open, generations, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

describe('a start after settings with which the service could not start', () => {
  it('goes back to earlier ones only when it has run with some', () => {
    using never = folderWith([POSTGRES]);
    expect(() => never.open([1])).toThrow(
      /generation 1, and there are no saved ones before them.*settings use/,
    );
    // A worker of the same supervisor was ready with the defaults.
    expect(never.open([1], true).began.generation).toBe(0);
    using untried = folderWith([{ settings: {} }], [HTTPS]);
    expect(() => untried.open([2])).toThrow('there are no saved ones before them');
    using once = folderWith([{ settings: {} }, 'applied'], [HTTPS]);
    expect(once.open([2]).began.generation).toBe(1);
    // Those in between were saved and are not thrown away: an API key that was switched off stays off.
    using between = folderWith([{ settings: {} }, 'applied'], [{ settings: { userId: 'x' } }], [HTTPS]);
    expect(between.open([3]).began.generation).toBe(2);
    // They fail too: down to those with which the service has run, and never below.
    expect(between.open([3, 2]).began.generation).toBe(1);
    expect(() => between.open([3, 2, 1])).toThrow('generation 1, and there are no saved ones before them');
  });
});

describe('damaged or missing settings', () => {
  it.each(['damaged', 'gone'])('stop the start when the service has run with them: %s', (how) => {
    using folder = folderWith([{ settings: {} }, 'applied'], [POSTGRES, 'applied']);
    const file = folder.generations.fileOf(2);
    if (how === 'gone') rmSync(file);
    else truncateSync(file, 99);
    expect(() => folder.open()).toThrow(/generation 2, with which the service has run, are damaged or gone/);
    // Other settings saved by the host's admin are used, under a number that has no mark.
    expect(folder.generations.add(saved({ settings: {} }))?.generation).toBe(3);
    expect(folder.open().began.generation).toBe(3);
  });

  it('are skipped with a warning when the service has never run with them', () => {
    using folder = folderWith([{ settings: {} }, 'applied'], [HTTPS]);
    truncateSync(folder.generations.fileOf(2), 99);
    const opened = folder.open();
    expect([opened.began.generation, settingsNotices(opened, {})]).toEqual([
      1,
      [expect.stringMatching(/000002\.json are damaged; the ones before them are used/)],
    ]);
  });
});

describe('settings that are not used', () => {
  it('are told with their generation, the reason and what is used instead, without a secret', () => {
    using folder = folderWith([{ settings: {} }, 'applied'], [POSTGRES, 'rejected']);
    expect(settingsNotices(folder.open(), {})).toEqual([
      'The newest settings (generation 2, saved 2026-03-01T08:30:00.000Z) are not used, because the service could not start with them: It did not answer. It uses generation 1, saved 2026-03-01T08:30:00.000Z (the embedded database, HTTP). To end this warning, submit the settings page, changed or unchanged.',
    ]);
    using first = folderWith([HTTPS, 'rejected']);
    expect(settingsNotices(first.open(), {})[0]).toContain(
      'It uses the defaults (the embedded database, HTTP).',
    );
    using fixed = folderWith([HTTPS, 'rejected'], [POSTGRES]);
    expect(settingsNotices(fixed.open(), {})).toEqual([]);
  });
});
