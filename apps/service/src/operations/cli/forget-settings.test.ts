import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { forgetSettings } from './forget-settings.ts';

it('removes the settings in the database with an audit entry, but never while an instance runs', async () => {
  using folder = temporaryFolder();
  const store = await openEmbeddedStore({ file: join(folder.path, 'kaptain.db') });
  const at = new Date().toISOString();
  await store.settingsGenerations.insert({ generation: 1, at, sealed: 's', appliedAt: at, rejected: null });
  await store.settingsFiles.insert({ name: 'server.pem', sealed: 's', at, waitingFor: 'w' });
  const row = { instance: 'i', release: '1', generation: 1, restart: 0, startedAt: at, failure: null };
  const { id } = await store.serviceInstances.insert({ ...row, name: 'host:8000', seenAt: at });
  expect(await forgetSettings(store)).toMatchObject({
    isDone: false,
    message: expect.stringContaining('host:8000'),
  });
  expect(await store.settingsGenerations.all()).toHaveLength(1);
  await store.serviceInstances.patch(id, { seenAt: new Date(Date.now() - 120_000).toISOString() });
  expect((await forgetSettings(store)).isDone).toBe(true);
  expect([await store.settingsGenerations.all(), await store.settingsFiles.all()]).toEqual([[], []]);
  expect(await store.audit.findBy('action', 'settings.forget')).toMatchObject([{ actor: 'host' }]);
  await store.close();
});
