import { existsSync } from 'node:fs';
import { type Store, UnavailableError } from '@kaptain/store';
import { readBootConfig } from '../config/boot-config.ts';
import { ConfigError } from '../config/config-error.ts';
import { type Database, databaseFile, databaseOf, openSealed } from '../config/open-store.ts';
import { openSettings } from '../config/settings.ts';
import { logFolderIn } from '../logging/create-logs.ts';
import { hostLog } from '../logging/host-log.ts';
import { logTrail } from '../logging/log-trail.ts';

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
