import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogEntry } from '@kaptain/contract';
import { openEmbeddedStore } from '@kaptain/store';
import { expect, it, vi } from 'vitest';
import { simulatedApp } from '../../../../../tools/platform-simulator/apps.ts';
import { startSimulator } from '../../../../../tools/platform-simulator/simulator.ts';
import { isFullTest } from '../../../../../tools/test-size.ts';
import { addGranules, addKapsule } from '../../testing/kapsules.ts';
import { type RunningService, serviceOn } from '../../testing/service-on.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { standardTimes } from './runner.ts';

const admin = { username: 'admin', password: 'correct horse battery' };

/** Sets the clock of all threads of a process ahead by a little more than a lease, once the file exists. */
const laterFrom = (sign: string) => {
  const clock = `import { existsSync } from 'node:fs';
    const now = Date.now;
    Date.now = () => now() + (existsSync(${JSON.stringify(sign)}) ? ${standardTimes.leaseMs + 1000} : 0);`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(clock)}` };
};

async function asAdmin(service: RunningService) {
  const token = (await service.call('POST', '/auth/login', { body: admin })).body.accessToken;
  return {
    reload: async (body: object) => (await service.call('POST', '/api/job', { token, body })).body._id,
    job: async (id: string) => {
      const { list } = await service.call('GET', '/api/log/list', { token });
      return list.find(({ _id }) => _id === id) as LogEntry | undefined;
    },
    granules: async (kapsuleId: string) =>
      (await service.call('GET', `/api/kapsule/${kapsuleId}/sql/read/internal`, { token })).list,
  };
}

/**
 * Kills both processes together: a supervisor alone would start another worker, a worker alone would return its jobs.
 */
async function killWhole({ process: { child, ended } }: RunningService, dataDir: string): Promise<void> {
  const log = readFileSync(join(dataDir, 'logs', 'system-current.log'), 'utf8');
  const worker = Number(/"pid":(\d+)/.exec(log)?.[1]);
  process.kill(worker, 'SIGKILL');
  child.kill('SIGKILL');
  await ended;
}

it.runIf(isFullTest)(
  'a reload of a killed service is not claimed before its lease has expired, is retried then, and the app can be reloaded again',
  async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    const sign = join(dataDir, 'later');
    const simulator = await startSimulator({
      folder: dataDir,
      apps: [simulatedApp('sales', { behaviour: 'hangs' }), simulatedApp('other', { reloadMs: 30 })],
    });
    writeFileSync(join(dataDir, 'settings.json'), JSON.stringify(simulator.settings('CERT')));
    try {
      await using first = await serviceOn({ KAPTAIN_DATA_DIR: dataDir });
      await first.call('POST', '/api/user/init', { body: admin });
      const store = await openEmbeddedStore({ file: join(dataDir, 'kaptain.db') });
      const kapsule = await addKapsule(store, 'Sales', { appId: 'sales' });
      await addGranules(store, kapsule, 3);
      await store.close();

      const interrupted = await (await asAdmin(first)).reload({ appId: 'sales', kapsuleId: kapsule.id });
      await vi.waitFor(() => expect(simulator.orders).toHaveLength(1));
      await killWhole(first, dataDir);
      simulator.apps.set('sales', simulatedApp('sales', { reloadMs: 30 }));

      await using second = await serviceOn({ KAPTAIN_DATA_DIR: dataDir, ...laterFrom(sign) });
      const { reload, job, granules } = await asAdmin(second);
      const succeeded = (id: string) =>
        vi.waitFor(async () => expect(await job(id)).toMatchObject({ status: 'succeeded' }));
      // Queued first, so that it would be the first to run.
      const next = await reload({ appId: 'sales', partial: true });
      await succeeded(await reload({ appId: 'other' }));
      expect([await job(interrupted), await job(next)]).toMatchObject([
        { status: 'running', attempt: 1 },
        { status: 'queued', attempt: 1 },
      ]);

      writeFileSync(sign, '');
      await succeeded(interrupted);
      await succeeded(next);
      expect(await job(interrupted)).toMatchObject({ attempt: 2, failReason: null });
      expect(simulator.orders).toEqual([
        { appId: 'sales', partial: false },
        { appId: 'other', partial: false },
        { appId: 'sales', partial: false },
        { appId: 'sales', partial: true },
      ]);
      expect((await granules(kapsule.id)).map(({ reloaded }) => reloaded)).toEqual([true, true, true]);
    } finally {
      await simulator.close();
    }
  },
);
