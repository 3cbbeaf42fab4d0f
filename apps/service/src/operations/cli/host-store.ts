import { existsSync } from 'node:fs';
import { type Store, UnavailableError } from '@kaptain/store';
import { readBootConfig } from '../../base/config/boot-config.ts';
import { openSettings } from '../../base/config/settings.ts';
import { type Database, databaseFile, databaseOf, openSealed } from '../../base/database/open-store.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import { logFolderIn } from '../../base/logging/create-logs.ts';
import { hostLog } from '../../base/logging/host-log.ts';
import { logTrail } from '../../base/logging/log-trail.ts';

/** The database that the service of this data folder opens. */
export function configuredDatabase(env: NodeJS.ProcessEnv) {
  const { dataDir } = readBootConfig(env);
  const settings = existsSync(dataDir) ? openSettings({ dataDir }).whole() : undefined;
  const db: Database | undefined = databaseOf(settings ?? {}, env);
  return { db, dataDir, logFolder: logFolderIn(dataDir, settings?.system.logPath ?? '') };
}

/** Opens the service's database while the service may be running; never creates one. */
export async function withStore<T>(env: NodeJS.ProcessEnv, work: (store: Store) => Promise<T>): Promise<T> {
  const { db, dataDir, logFolder } = configuredDatabase(env);
  const { pepper } = readBootConfig(env);
  if (!db && !existsSync(databaseFile(dataDir))) {
    throw new ConfigError(
      `There is no database in ${dataDir}: run this in the folder of the service, or set KAPTAIN_DATA_DIR to its data folder.`,
    );
  }
  let store: Store | undefined;
  try {
    store = logTrail(await openSealed(db, { dataDir, pepper }), hostLog(logFolder));
    return await work(store);
  } catch (error) {
    throw error instanceof UnavailableError ? new ConfigError(error.message) : error;
  } finally {
    await store?.close();
  }
}
