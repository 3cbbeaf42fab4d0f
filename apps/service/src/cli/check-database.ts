import { existsSync } from 'node:fs';
import { DiskFullError, UnavailableError } from '@kaptain/store';
import { ConfigError } from '../config/config-error.ts';
import { type Database, databaseFile, openDatabase } from '../config/open-store.ts';
import type { Result } from './commands.ts';
import { configuredDatabase } from './host-store.ts';

const names = { postgres: 'PostgreSQL', mongodb: 'MongoDB' } as const;

/** Tries the configured database as a start of the service would; one sentence on what is wrong, or right. */
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
    } finally {
      await store.close();
    }
    return { isDone: true, message: `${nameOf(db, dataDir)} can be used.` };
  } catch (error) {
    const isForPeople = [UnavailableError, DiskFullError, ConfigError].some((kind) => error instanceof kind);
    if (error instanceof Error && isForPeople) return { isDone: false, message: error.message };
    throw error;
  }
}

function nameOf(db: Database | undefined, dataDir: string): string {
  if (!db) return `The embedded database ${databaseFile(dataDir)}`;
  const { KAPTAIN_DB, KAPTAIN_DB_NAME, KAPTAIN_DB_HOST, KAPTAIN_DB_PORT } = db;
  return `The ${names[KAPTAIN_DB]} database ${KAPTAIN_DB_NAME} on ${KAPTAIN_DB_HOST}:${KAPTAIN_DB_PORT}`;
}
