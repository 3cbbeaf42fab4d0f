import { existsSync, statSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { UnavailableError, writeBackup } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { backupContent } from '../../base/database/backup-content.ts';
import { databaseFile } from '../../base/database/open-store.ts';
import { ConfigError } from '../../base/errors/config-error.ts';
import { actor, host, type Result } from './commands.ts';
import { configuredDatabase, withStore } from './host-store.ts';

/**
 * Writes all data of the service to one file while the service runs. The audit entry `backup.create` then has the
 * time of the last backup.
 */
export async function backup(env: NodeJS.ProcessEnv, name: string): Promise<Result> {
  const dataDir = embeddedFolder(env);
  const target = resolve(name);
  requireRoom(target);
  return await withStore(env, async (store) => {
    const content = backupContent(dataDir, Date.now());
    const bytes = written(() => writeBackup(databaseFile(dataDir), target, content));
    const after = { file: basename(target), bytes };
    await store.transaction((nouns) =>
      audit(nouns, host, Date.now(), { action: 'backup.create', actor, after }),
    );
    const files = content.files.length === 1 ? '1 file' : `${content.files.length} files`;
    const message = `${target} holds the database, ${files} of settings and keys, ${bytes} bytes in all. It contains secrets: keep it where only you can read it.`;
    return { isDone: true, message };
  });
}

/** Database servers have their own backup tools. */
export function embeddedFolder(env: NodeJS.ProcessEnv): string {
  const { db, dataDir } = configuredDatabase(env);
  if (!db) return dataDir;
  const program = db.KAPTAIN_DB === 'postgres' ? 'pg_dump and pg_restore' : 'mongodump and mongorestore';
  throw new ConfigError(
    `The service keeps its data on a server: use ${program}, as “Backup and restore” of the guide says.`,
  );
}

function requireRoom(target: string): void {
  if (existsSync(target)) throw new ConfigError(`${target} exists already; choose another name.`);
  if (!statSync(dirname(target), { throwIfNoEntry: false })?.isDirectory())
    throw new ConfigError(`There is no folder ${dirname(target)}; create it or choose another name.`);
}

/** Turns a full disk or a missing permission into a ConfigError, which the admin can correct. */
export function written<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    // Its message is written for people already.
    if (error instanceof UnavailableError) throw new ConfigError(error.message, { cause: error });
    if ((error as NodeJS.ErrnoException).code !== undefined)
      throw new ConfigError(`The file could not be written or read: ${(error as Error).message}`);
    throw error;
  }
}
