import { existsSync } from 'node:fs';
import type { StatusCheck } from '@kaptain/contract';
import type { Store } from '@kaptain/store';
import { type BootConfig, readBootConfig } from '../../base/config/boot-config.ts';
import { unknownVariables } from '../../base/config/known-variables.ts';
import { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import { openSettings } from '../../base/config/settings.ts';
import { type Database, databaseFile, databaseOf, openDatabase } from '../../base/database/open-store.ts';
import { asFileError } from '../../base/errors/as-file-error.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import { logFolderIn } from '../../base/logging/create-logs.ts';
import { hostLog } from '../../base/logging/host-log.ts';
import { backupCheck } from '../checks/backup-check.ts';
import { certificateChecks } from '../checks/certificate-check.ts';
import { type Check, error, ok, runChecks, warning } from '../checks/check.ts';
import { clockCheck } from '../checks/clock-check.ts';
import { dataSourceChecks, platformCheck } from '../checks/connection-checks.ts';
import { connectionTesters } from '../checks/connection-testers.ts';
import { folderCheck } from '../checks/folder-check.ts';
import { type CheckedInstance, instancesCheck } from '../checks/instances-check.ts';
import { keysCheck } from '../checks/keys-check.ts';
import { licenseOf } from '../checks/license.ts';
import { licenseCheck } from '../checks/license-check.ts';
import { diskCheck } from '../checks/own-checks.ts';
import { portCheck } from '../checks/port-check.ts';
import { savedSettingsCheck } from '../checks/settings-check.ts';
import { valuesCheck } from '../checks/values-check.ts';
import { INSTANCE_LIVE_MS } from '../tuning.ts';
import { hasOtherKeys, tryDatabase } from './check-database.ts';
import type { Result } from './commands.ts';
import { answering } from './health.ts';

const oldestNode = 24;

const nodeCheck: Check = {
  name: 'Node',
  async check() {
    const { node } = process.versions;
    return Number.parseInt(node, 10) >= oldestNode
      ? ok(`Version ${node}.`)
      : error(`Version ${node} is too old: install Node ${oldestNode} or newer.`);
  },
};

/** Like `db check`: opens the database as a start of the service does. */
const databaseCheck = (env: NodeJS.ProcessEnv): Check => ({
  name: 'Database',
  async check() {
    const { isDone, message } = await tryDatabase(env);
    return isDone ? ok(message) : error(message);
  },
});

/** Compares the time of each heartbeat with the clock, because this process sees only one heartbeat. */
async function instancesAt({ serviceInstances }: Store, now: number): Promise<CheckedInstance[]> {
  const since = new Date(now - INSTANCE_LIVE_MS).toISOString();
  return (await serviceInstances.all()).map((row) => ({
    ...row,
    version: row.release,
    isLive: row.seenAt > since,
  }));
}

/** Checks that read the database, while it is open. */
async function storedChecks(
  db: Database | undefined,
  boot: BootConfig,
  run: (checks: Check[]) => Promise<StatusCheck[]>,
): Promise<StatusCheck[]> {
  let store: Store | undefined;
  try {
    const opened = await openDatabase(db, boot.dataDir);
    store = opened;
    const now = Date.now();
    return await run([
      keysCheck(() => hasOtherKeys(opened, boot)),
      clockCheck(opened, now),
      valuesCheck(opened),
      ...(db ? [instancesCheck(() => instancesAt(opened, now))] : []),
      ...(db ? [] : [backupCheck(opened, now)]),
    ]);
  } catch {
    // The check of the database reports why it can't be opened.
    return [];
  } finally {
    await store?.close();
  }
}

/** The checks of an installation, whose data folder exists; the service may run meanwhile. */
export async function installationChecks(env: NodeJS.ProcessEnv, boot: BootConfig): Promise<StatusCheck[]> {
  const { dataDir, publicHosts } = boot;
  const opened = openSettings({ dataDir });
  const settings = opened.whole();
  const db = databaseOf(settings, env);
  const log = hostLog(logFolderIn(dataDir, settings.system.logPath));
  const testers = connectionTesters({ ...boot, openDatabase: () => openDatabase(db, dataDir) });
  const now = Date.now();
  const run = (checks: Check[]) => runChecks(checks, log);
  const found = await run([
    savedSettingsCheck({ settings: opened, env }),
    databaseCheck(env),
    ...dataSourceChecks(settings, testers),
    platformCheck(settings, testers),
    licenseCheck(licenseOf({ ...boot, clock: () => now })(settings), now),
    ...certificateChecks({
      settings,
      files: opened.serverFiles(),
      certificates: new CertificateFiles(dataDir),
      publicHosts,
      now,
    }),
    diskCheck(dataDir),
  ]);
  // Never creates a database: its files might belong to another account than the service's.
  const isThere = db !== undefined || existsSync(databaseFile(dataDir));
  const isUsable = isThere && found.some(({ name, state }) => name === 'Database' && state === 'ok');
  return isUsable ? [...found, ...(await storedChecks(db, boot, run))] : found;
}

const marks = { ok: 'ok     ', warning: 'WARNING', error: 'ERROR  ' } as const;

const counted = (count: number, word: string) => `${count} ${word}${count === 1 ? '' : 's'}`;

function report(found: readonly StatusCheck[]): Result {
  const lines = found.map(
    ({ name, state, sentence, at }) => `${marks[state]}  ${name}: ${sentence}${at ? ` (${at})` : ''}`,
  );
  const count = (state: StatusCheck['state']) => found.filter((check) => check.state === state).length;
  const sum =
    count('error') + count('warning') === 0
      ? 'Nothing is wrong.'
      : `${counted(count('error'), 'error')}, ${counted(count('warning'), 'warning')}.`;
  return { isDone: count('error') === 0, isReport: true, message: [...lines, sum].join('\n') };
}

/** A failure that an administrator can correct is a finding; any other one is a bug. */
function correctable(failure: unknown): ConfigError {
  const fileError = asFileError(failure);
  if (fileError instanceof ConfigError) return fileError;
  throw failure;
}

/** Checks everything that commonly keeps the service from working, and says what to do about it. */
export async function doctor(env: NodeJS.ProcessEnv): Promise<Result> {
  let boot: BootConfig;
  try {
    boot = readBootConfig(env);
  } catch (failure) {
    return report([{ name: 'Configuration', ...error(correctable(failure).message) }]);
  }
  const unknown = unknownVariables(env).map((sentence) => ({ name: 'Environment', ...warning(sentence) }));
  const log = hostLog(logFolderIn(boot.dataDir, ''));
  const checked = await runChecks(
    [nodeCheck, folderCheck(boot.dataDir), portCheck({ ...boot, answering: () => answering(boot) })],
    log,
  );
  const own = [...checked, ...unknown];
  const isFolderUsable = own.every(({ name, state }) => name !== 'Data folder' || state !== 'error');
  if (!isFolderUsable || !existsSync(boot.dataDir)) return report(own);
  try {
    return report([...own, ...(await installationChecks(env, boot))]);
  } catch (failure) {
    return report([...own, { name: 'Settings', ...error(correctable(failure).message) }]);
  }
}
