import { existsSync } from 'node:fs';
import { DiskFullError, damagedDocuments, type Store, UnavailableError } from '@kaptain/store';
import { type BootConfig, readBootConfig } from '../../base/config/boot-config.ts';
import {
  type Database,
  databaseFile,
  keysFolder,
  openDatabase,
  productAndServers,
} from '../../base/database/open-store.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import { pepperFile, pepperIn } from '../../base/secrets/pepper.ts';
import { isOtherPepper, OTHER_PEPPER } from '../../base/secrets/pepper-mark.ts';
import type { Result } from './commands.ts';
import { configuredDatabase } from './host-store.ts';

/** Tries the configured database as the service does at its start; one sentence with the result, and one about its keys. */
export const checkDatabase = (env: NodeJS.ProcessEnv): Promise<Result> =>
  tryDatabase(env, async (store) =>
    (await hasOtherKeys(store, readBootConfig(env))) ? ` ${OTHER_PEPPER}` : '',
  );

/** The same without the keys; `remark` is added to the sentence about a database that can be used. */
export async function tryDatabase(
  env: NodeJS.ProcessEnv,
  remark: (store: Store) => Promise<string> = async () => '',
): Promise<Result> {
  try {
    const { db, dataDir } = configuredDatabase(env);
    if (!db && !existsSync(databaseFile(dataDir))) {
      return {
        isDone: true,
        message: `There is no database in ${dataDir} yet; the service makes one when it starts.`,
      };
    }
    const store = await openDatabase(db, dataDir);
    try {
      await store.ping();
      const damaged = await damagedDocuments(store);
      if (damaged.length > 0)
        return { isDone: false, message: damaged.map(({ message }) => message).join(' ') };
      return { isDone: true, message: `${nameOf(db, dataDir)} can be used.${await remark(store)}` };
    } finally {
      await store.close();
    }
  } catch (error) {
    const isForPeople = [UnavailableError, DiskFullError, ConfigError].some((kind) => error instanceof kind);
    if (error instanceof Error && isForPeople) return { isDone: false, message: error.message };
    throw error;
  }
}

/**
 * Whether the database was used with other keys. Does not create a missing secret, which would differ from the one in the
 * database.
 */
export async function hasOtherKeys(
  store: Store,
  { dataDir, pepper }: Pick<BootConfig, 'dataDir' | 'pepper'>,
): Promise<boolean> {
  const folder = keysFolder(dataDir);
  const isThere = pepper !== undefined || existsSync(pepperFile(folder));
  return isOtherPepper(store, isThere ? pepperIn(folder, pepper)() : Buffer.alloc(0));
}

function nameOf(db: Database | undefined, dataDir: string): string {
  if (!db) return `The embedded database ${databaseFile(dataDir)}`;
  const { product, servers } = productAndServers(db);
  return `The ${product} database ${db.KAPTAIN_DB_NAME} on ${servers}`;
}
