import type { api, LicenseSummary, SettingsUpdate } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import type { Handlers } from '../../http/call.ts';
import type { Logs } from '../../logging/logs.ts';
import { backupCheck } from './backup-check.ts';
import { type Check, runChecks } from './check.ts';
import { dataSourceChecks, platformCheck, type Testers } from './connection-checks.ts';
import { licenseCheck } from './license-check.ts';
import { databaseCheck, diskCheck, failedJobCheck } from './own-checks.ts';

interface Deps {
  version: string;
  store: Store;
  database: string;
  settings: { whole(): SettingsUpdate };
  testers: Testers;
  /** The summary of the license text in these settings. */
  license(settings: SettingsUpdate): LicenseSummary;
  dataDir: string;
  clock: () => number;
  logs: Logs;
}

export function statusRoutes(deps: Deps): Handlers<typeof api.status> {
  const { version, store, testers, dataDir, clock, logs } = deps;
  const since = new Date(clock()).toISOString();
  /** All checks for the current settings. */
  const checks = (): Check[] => {
    const settings = deps.settings.whole();
    return [
      databaseCheck(store),
      ...dataSourceChecks(settings, testers),
      platformCheck(settings, testers),
      licenseCheck(deps.license(settings), clock()),
      diskCheck(dataDir),
      ...(deps.database === 'embedded' ? [backupCheck(store, clock())] : []),
      failedJobCheck(store),
    ];
  };
  return {
    get: async ({ query }) => ({
      version,
      since,
      checks: await runChecks(query.checks === 'all' ? checks() : [], logs.system),
    }),
  };
}
