import { existsSync } from 'node:fs';
import { DiskFullError, damagedDocuments, type Store, UnavailableError } from '@kaptain/store';
import { readBootConfig } from '../config/boot-config.ts';
import { ConfigError } from '../config/config-error.ts';
import { type Database, databaseFile, keysFolder, openDatabase } from '../config/open-store.ts';
import { pepperFile, pepperIn } from '../security/pepper.ts';
import { isOtherPepper, OTHER_PEPPER } from '../security/pepper-mark.ts';
import type { Result } from './commands.ts';
import { configuredDatabase } from './host-store.ts';

const names = { postgres: 'PostgreSQL', mongodb: 'MongoDB' } as const;

/** Tries the configured database as the service does at its start; prints one sentence with the result. */
export async function checkDatabase(env: NodeJS.ProcessEnv): Promise<Result> {
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
      const warning = (await isOther(store, env)) ? ` ${OTHER_PEPPER}` : '';
      return { isDone: true, message: `${nameOf(db, dataDir)} can be used.${warning}` };
    } finally {
      await store.close();
    }
  } catch (error) {
    const isForPeople = [UnavailableError, DiskFullError, ConfigError].some((kind) => error instanceof kind);
    if (error instanceof Error && isForPeople) return { isDone: false, message: error.message };
    throw error;
  }
}

/** Does not create a missing secret, which would differ from the one in the database. */
async function isOther(store: Store, env: NodeJS.ProcessEnv): Promise<boolean> {
  const { dataDir, pepper } = readBootConfig(env);
  const folder = keysFolder(dataDir);
  const isThere = pepper !== undefined || existsSync(pepperFile(folder));
  return isOtherPepper(store, isThere ? pepperIn(folder, pepper)() : Buffer.alloc(0));
}

function nameOf(db: Database | undefined, dataDir: string): string {
  if (!db) return `The embedded database ${databaseFile(dataDir)}`;
  const { KAPTAIN_DB, KAPTAIN_DB_NAME, KAPTAIN_DB_HOST, KAPTAIN_DB_PORT } = db;
  return `The ${names[KAPTAIN_DB]} database ${KAPTAIN_DB_NAME} on ${KAPTAIN_DB_HOST}:${KAPTAIN_DB_PORT}`;
}
