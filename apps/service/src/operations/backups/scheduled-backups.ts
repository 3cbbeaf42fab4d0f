import { join } from 'node:path';
import type { SettingsUpdate } from '@kaptain/contract';
import { type Store, writeBackupAside } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { makeFolder } from '../../base/config/make-folder.ts';
import { settingsPath } from '../../base/config/settings/allowed-paths.ts';
import type { Settings } from '../../base/config/settings.ts';
import { backupContent } from '../../base/database/backup-content.ts';
import { databaseFile } from '../../base/database/open-store.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import type { Log } from '../../base/logging/logs.ts';
import { parseCron } from '../../base/time/cron.ts';
import { BACKUP_LOOK_MS, BACKUP_RETRY_MS } from '../tuning.ts';
import { backupName, removeOld, scheduledBackups } from './backup-names.ts';
import { hasRoomForBackup } from './has-room-for-backup.ts';

type BackupSettings = SettingsUpdate['backup'];

interface Deps {
  store: Store;
  settings: Pick<Settings, 'whole'>;
  dataDir: string;
  log: Log;
  clock: () => number;
}

const service = { requestId: 'service', ip: '', caller: undefined };
const actor = { id: null, username: 'service' };

const backupFolder = (dataDir: string, { folder }: BackupSettings): string =>
  settingsPath(dataDir, folder === '' ? 'backups' : folder);

/** Whether a backup is due: at the first look when there is none, then at each planned hour after the newest one. */
export function isDue({ every, hour }: BackupSettings, newest: number | undefined, now: number): boolean {
  if (every === 'never') return false;
  // A backup from the future was made while the clock was ahead; waiting for its time could take years.
  if (newest === undefined || newest > now) return true;
  return parseCron(`0 ${hour} * * ${every === 'week' ? '0' : '*'}`).next(newest) <= now;
}

/** Makes the backup that is due, then removes those beyond the number to keep. */
export async function makeDueBackup(deps: Deps, signal?: AbortSignal): Promise<string | undefined> {
  const { store, settings, dataDir, log, clock } = deps;
  const { backup } = settings.whole();
  const folder = backupFolder(dataDir, backup);
  const [newest] = scheduledBackups(folder);
  if (!isDue(backup, newest?.at, clock())) return undefined;
  makeFolder(folder);
  const name = backupName(clock());
  const content = backupContent(dataDir, clock());
  if (!(await hasRoomForBackup(databaseFile(dataDir), folder)))
    throw new ConfigError(
      `There is too little space in ${folder} for a backup; make room, or choose another folder.`,
    );
  const bytes = await writeBackupAside(databaseFile(dataDir), join(folder, name), content, signal);
  const removed = removeOld(folder, backup.keep, clock());
  const after = { file: name, bytes, ...(removed.length > 0 && { removed }) };
  await store.transaction((unit) => audit(unit, service, clock(), { action: 'backup.create', actor, after }));
  log.info({ file: name, bytes, removed: removed.length }, 'backup made');
  return name;
}

/** Makes backups by the schedule of the settings, which it reads at each look. The answer ends it. */
export function startBackups(deps: Deps): () => Promise<void> {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let notBefore = 0;
  const look = async () => {
    try {
      await makeDueBackup(deps, stopping.signal);
    } catch (err) {
      // The next worker makes it.
      if (stopping.signal.aborted) return;
      notBefore = performance.now() + BACKUP_RETRY_MS;
      deps.log.error({ err }, 'the scheduled backup failed; it is tried again in an hour');
    }
  };
  const start = () => {
    if (performance.now() < notBefore) return;
    running ??= look().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(start, BACKUP_LOOK_MS).unref();
  start();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}
