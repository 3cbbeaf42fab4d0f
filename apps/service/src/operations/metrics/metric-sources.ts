import { statfs } from 'node:fs/promises';
import type { PoolUse, Store } from '@kaptain/store';
import { certificateOf, type TlsOptions } from '../../base/config/settings/tls.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import type { Passwords } from '../../identity/passwords/passwords.ts';
import type { DataSources } from '../../kapsules/data-sources/data-sources.ts';
import type { MetricSources } from './register-gauges.ts';

interface Deps {
  store: Store;
  database: string;
  settings: Pick<KeptSettings, 'began'>;
  dataSources: DataSources;
  passwords: Passwords;
  dataDir: string;
  tls: TlsOptions | undefined;
}

/** Connects the gauges with the parts of the service. */
export function metricSources(deps: Deps, permits: MetricSources['permits']): MetricSources {
  const { store, database, settings, dataSources, passwords, dataDir, tls } = deps;
  // Read once: a new certificate is used by a new worker.
  let end: Promise<number | undefined> | undefined;
  const readEnd = async () => {
    const certificate = tls && (await certificateOf(tls));
    return certificate && Date.parse(certificate.validTo);
  };
  return {
    store,
    database,
    permits,
    pools: async (): Promise<PoolUse[]> => [
      { name: 'passwords', ...passwords.poolUse() },
      ...(await dataSources.pools()),
    ],
    async lastBackup() {
      if (database !== 'embedded') return undefined;
      const [last] = await store.audit.recent({ where: { action: 'backup.create' }, limit: 1 });
      return last ? Date.parse(last.at) : 0;
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(dataDir);
      return bavail * bsize;
    },
    settingsGeneration: () => settings.began.generation,
    certificateEnd: () => (end ??= readEnd()),
  };
}
