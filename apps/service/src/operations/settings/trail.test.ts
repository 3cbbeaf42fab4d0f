import { expect, it } from 'vitest';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { openSettings } from '../../base/config/settings.ts';
import { openSealed } from '../../base/database/open-store.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { completeTrail } from './trail.ts';

it('audits once that settings were rolled back, also when the database was away then', async () => {
  using folder = temporaryFolder();
  const store = await openSealed(undefined, { dataDir: folder.path, pepper: undefined });
  const { generations } = openSettings({ dataDir: folder.path });
  const at = '2026-01-02T03:04:05.000Z';
  generations.add({ ...nothingSaved(), at });
  generations.setMark(1, { status: 'rejected', at, reason: 'The database is away.' });
  for (let start = 0; start < 2; start += 1)
    await completeTrail(store, openSettings({ dataDir: folder.path }));
  expect(await store.audit.findBy('action', 'settings.rollBack')).toMatchObject([
    { at, target: 'settings:1', result: 'refused' },
  ]);
  await store.close();
});
