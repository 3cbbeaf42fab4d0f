import { SettingsUpdate } from '@kaptain/contract';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { nothingSaved } from '../config/settings/generations.ts';
import { normalised } from '../config/settings/normalised.ts';
import { openSettings } from '../config/settings.ts';
import { sharesDatabase } from './shares-database.ts';

const on = (host: string) => ({
  KAPTAIN_DB: 'postgres',
  KAPTAIN_DB_HOST: host,
  KAPTAIN_DB_PORT: 5432,
  KAPTAIN_DB_USER: 'kaptain',
  KAPTAIN_DB_PASS: 'secret',
  KAPTAIN_DB_NAME: 'kaptain',
});

interface Saved {
  host: string;
  status?: 'applied' | 'rejected';
}

/** The content of the newest of these generations. */
function sharesIn(...saved: Saved[]): boolean {
  using folder = temporaryFolder();
  const { generations } = openSettings({ dataDir: folder.path });
  for (const { host, status } of saved) {
    const settings = normalised(SettingsUpdate.parse({ settings: {}, db: on(host) }));
    const added = generations.add({ ...nothingSaved(), at: new Date().toISOString(), settings });
    const at = new Date().toISOString();
    if (status) generations.setMark(added?.generation ?? 0, { status, at, reason: null });
  }
  return sharesDatabase(openSettings({ dataDir: folder.path }), {});
}

it('compares with the settings the service has run with, not with those saved in between', () => {
  const [a, b] = [{ host: 'a', status: 'applied' } as const, { host: 'b' }];
  expect(sharesIn(a, { host: 'a' })).toBe(true);
  expect(sharesIn(a, b)).toBe(false);
  expect(sharesIn(a, b, b)).toBe(false);
  expect(sharesIn(a, b, { host: 'a' })).toBe(true);
  expect(sharesIn(a, { host: 'b', status: 'rejected' }, { host: 'a' })).toBe(true);
});

it('compares with the embedded store where the service has run with nothing saved', () => {
  expect(sharesIn({ host: 'a' })).toBe(false);
});
