import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingsUpdate } from '@kaptain/contract';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { hasPostgres, startPostgres } from '../../../../../tools/test-servers/postgres.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { nothingSaved } from '../../base/config/settings/generations.ts';
import { normalised } from '../../base/config/settings/normalised.ts';
import { openSettings } from '../../base/config/settings.ts';
import { startProcess } from '../../testing/service-process.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';

async function startedIn(dataDir: string): Promise<ReturnType<typeof startProcess>> {
  const started = startProcess({ KAPTAIN_DATA_DIR: dataDir });
  await started.said(/ready on/);
  return started;
}

describe.runIf(isFullTest && hasPostgres())('new settings while their database is away', () => {
  it('are kept when the settings before them use the same one, and applied when it is back', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    using folder = temporaryFolder();
    const { host, port, user, password, database } = server.config;
    const db = {
      KAPTAIN_DB: 'postgres',
      KAPTAIN_DB_HOST: host,
      KAPTAIN_DB_PORT: port,
      KAPTAIN_DB_USER: user,
      KAPTAIN_DB_PASS: password,
      KAPTAIN_DB_NAME: database,
    };
    writeFileSync(join(folder.path, 'settings.json'), JSON.stringify({ settings: {}, db }));
    // Again and again: on a busy machine the server may not answer in time.
    using started = await vi.waitFor(() => startedIn(folder.path));
    const { generations } = openSettings({ dataDir: folder.path });
    const settings = normalised(SettingsUpdate.parse({ settings: { apiKey: true }, db }));
    const saved = generations.add({ ...nothingSaved(), at: new Date().toISOString(), settings });
    const markOf = () => generations.mark(saved?.generation ?? 0)?.status;
    await server.kill();
    started.child.send('restart');
    await started.said(/PostgreSQL|database/i);
    await server.start();
    // The first worker answers again and still has all it was told.
    const url = /http:\/\/localhost:\d+/.exec(started.output())?.[0] ?? '';
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
    expect(markOf()).toBeUndefined();
    // Again and again: on a busy machine the server may not answer in time, which is no reason for a rollback either.
    const restarted = () => {
      started.child.send('restart');
      return markOf();
    };
    await expect.poll(restarted, { interval: 2_000 }).toBe('applied');
    started.child.send('stop');
    expect(await started.ended).toBe(0);
  });
});
