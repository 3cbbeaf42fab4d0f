import type { api, LicenseSummary, SettingsUpdate } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { auditReading } from '../../base/audit/audit-reading.ts';
import type { Call } from '../../base/call/call.ts';
import { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import type { Logs } from '../../base/logging/logs.ts';
import { pepperIn } from '../../base/secrets/pepper.ts';
import { isOtherPepper } from '../../base/secrets/pepper-mark.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { BackupDownloads } from '../backups/backup-downloads.ts';
import { backupCheck } from '../checks/backup-check.ts';
import { certificateChecks } from '../checks/certificate-check.ts';
import { type Check, runChecks } from '../checks/check.ts';
import { clockCheck } from '../checks/clock-check.ts';
import { dataSourceChecks, platformCheck } from '../checks/connection-checks.ts';
import type { ConnectionTesters } from '../checks/connection-testers.ts';
import { instancesCheck } from '../checks/instances-check.ts';
import { keysCheck } from '../checks/keys-check.ts';
import { licenseCheck } from '../checks/license-check.ts';
import { databaseCheck, diskCheck, failedJobCheck, pendingChangeChecks } from '../checks/own-checks.ts';
import { settingsCheck } from '../checks/settings-check.ts';
import type { Shared } from '../instances/share-settings.ts';
import type { Restarts } from '../supervisor/restarts.ts';
import { bundleFileName, supportBundle } from '../support/support-bundle.ts';

interface Deps {
  version: string;
  store: Store;
  database: string;
  settings: Pick<KeptSettings, 'whole' | 'serverFiles' | 'generations' | 'began' | 'warnings'>;
  restarts: Pick<Restarts, 'lastFailure'>;
  keysFolder: string;
  hasOtherKeys?: boolean;
  /** Undefined when this instance is the only one on its database. */
  shared?: Shared | undefined;
  testers: ConnectionTesters;
  /** The summary of the license text in these settings. */
  license(settings: SettingsUpdate): LicenseSummary;
  dataDir: string;
  temporaryFolder: string;
  logFolder: string;
  setupToken: string | undefined;
  pepper?: string | undefined;
  publicHosts: readonly string[];
  clock: () => number;
  logs: Logs;
}

export function statusRoutes(deps: Deps): Handlers<typeof api.status> {
  const { version, store, shared, testers, dataDir, publicHosts, clock, logs } = deps;
  const certificates = new CertificateFiles(dataDir);
  const pepper = pepperIn(deps.keysFolder, deps.pepper);
  const since = new Date(clock()).toISOString();
  /** All checks for the current settings. */
  const checks = (): Check[] => {
    const settings = deps.settings.whole();
    const isOther = async () => deps.hasOtherKeys === true || (await isOtherPepper(store, pepper()));
    return [
      databaseCheck(store),
      settingsCheck({ ...deps, env: process.env, lastFailure: deps.restarts.lastFailure() }),
      keysCheck(isOther),
      ...pendingChangeChecks(store, deps.database),
      ...(shared ? [instancesCheck(() => shared.instances.list())] : []),
      ...dataSourceChecks(settings, testers),
      platformCheck(settings, testers),
      licenseCheck(deps.license(settings), clock()),
      ...certificateChecks({
        settings,
        files: deps.settings.serverFiles(),
        certificates,
        publicHosts,
        now: clock(),
      }),
      clockCheck(store, clock()),
      diskCheck(dataDir),
      ...(deps.database === 'embedded' ? [backupCheck(store, clock())] : []),
      failedJobCheck(store),
    ];
  };
  async function* bundle(call: Call<'admin'>) {
    await auditReading({ store, clock, log: logs.app }, call, { action: 'support.bundle' });
    yield await supportBundle({
      ...deps,
      settings: deps.settings.whole(),
      checks: await runChecks(checks(), logs.system),
      env: process.env,
      now: clock(),
    });
  }
  const backups = new BackupDownloads(deps);
  return {
    makeBackup: (_, call) => backups.make(call),
    downloadBackup: ({ params }, call) => backups.download(params.file, call),
    supportBundle: (_, call) => ({ chunks: bundle(call), fileName: bundleFileName(clock()) }),
    async get({ query }) {
      const isAll = query.checks === 'all';
      return {
        version,
        since,
        checks: await runChecks(isAll ? checks() : [], logs.system),
        // The check of the database reports an outage.
        ...(shared && { instances: await shared.instances.list().catch(() => []) }),
      };
    },
  };
}
