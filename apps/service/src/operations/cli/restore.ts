import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type BackupFile, isInUse, makeDatabaseOf, readBackup } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { readBootConfig } from '../../base/config/boot-config.ts';
import { makeFolder } from '../../base/config/make-folder.ts';
import { BOOT_FILE, KEPT_FOLDERS } from '../../base/database/backup-content.ts';
import { databaseOf } from '../../base/database/open-store.ts';
import { ConfigError, SettingsError } from '../../base/errors/config-error.ts';
import { beginEpoch } from '../../kapsules/data-api/watermarks.ts';
import { embeddedFolder, written } from './backup.ts';
import { actor, host, type Result } from './commands.ts';
import { withStore } from './host-store.ts';

const DATABASE = 'kaptain.db';
const SAFE_PATH = new RegExp(
  `^(${BOOT_FILE.replace('.', String.raw`\.`)}|(${KEPT_FOLDERS.join('|')})(/[\\w.-]+)+)$`,
);

const UNCHECKED =
  'An earlier version made this backup, without a checksum: its database is sound, but whether a value in it was changed since can not be checked.';

/**
 * Replaces the data folder's database, settings and keys by those of a backup, and keeps the replaced files aside.
 * After an interruption the same command continues: the database is replaced last, in one step.
 */
export async function restore(env: NodeJS.ProcessEnv, name: string): Promise<Result> {
  const dataDir = folderFor(env);
  const source = resolve(name);
  if (!existsSync(source)) throw new ConfigError(`There is no file ${source}.`);
  makeFolder(dataDir);
  const file = join(dataDir, DATABASE);
  const found = written(() => readBackup(source));
  if (!found.files.every(({ path }) => SAFE_PATH.test(path) && !path.includes('..')))
    throw new ConfigError(`${source} contains files that belong to no backup of the service.`);
  if (existsSync(file) && isInUse(file))
    throw new ConfigError('The service is running; stop it first. Nothing was changed.');
  const fresh = join(dataDir, `restoring-${process.pid}`);
  const aside = join(dataDir, `replaced-${new Date().toISOString().replaceAll(':', '-')}`);
  try {
    written(() => unpack(source, found.files, fresh));
    written(() => exchange(dataDir, fresh, aside));
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  await withStore(env, (store) =>
    store.transaction(async (nouns) => {
      // Some of these sessions had ended after the backup was made.
      for (const { id } of await nouns.sessions.all()) await nouns.sessions.remove(id);
      await beginEpoch(nouns);
      const after = { madeAt: found.at };
      await audit(nouns, host, Date.now(), { action: 'backup.restore', actor, after });
    }),
  );
  const kept = existsSync(aside) ? ` What was there before is in ${aside}.` : '';
  const doubt = found.isChecked ? '' : ` ${UNCHECKED}`;
  return { isDone: true, message: `The service has the data of ${found.at} again.${kept}${doubt}` };
}

/** Settings that can't be read are no obstacle: the backup replaces them. */
function folderFor(env: NodeJS.ProcessEnv): string {
  try {
    return embeddedFolder(env);
  } catch (error) {
    if (!(error instanceof SettingsError) || databaseOf({}, env)) throw error;
    return readBootConfig(env).dataDir;
  }
}

function unpack(source: string, files: readonly BackupFile[], fresh: string): void {
  mkdirSync(fresh, { recursive: true, mode: 0o700 });
  copyFileSync(source, join(fresh, DATABASE));
  makeDatabaseOf(join(fresh, DATABASE));
  for (const { path, content } of files) {
    mkdirSync(dirname(join(fresh, path)), { recursive: true, mode: 0o700 });
    writeFileSync(join(fresh, path), content, { mode: 0o600, flush: true });
  }
}

function exchange(dataDir: string, fresh: string, aside: string): void {
  const replace = (name: string) => {
    if (existsSync(join(dataDir, name))) {
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      renameSync(join(dataDir, name), join(aside, name));
    }
    if (existsSync(join(fresh, name))) renameSync(join(fresh, name), join(dataDir, name));
  };
  for (const name of [...KEPT_FOLDERS, BOOT_FILE]) replace(name);
  // Moves the write-ahead log of a damaged database aside: it must not be applied to another database.
  for (const name of [`${DATABASE}-wal`, `${DATABASE}-shm`]) replace(name);
  const file = join(dataDir, DATABASE);
  if (existsSync(file)) {
    mkdirSync(aside, { recursive: true, mode: 0o700 });
    keep(file, join(aside, DATABASE));
  }
  renameSync(join(fresh, DATABASE), file);
}

/** As a hard link, so that there is always a database; copies it on file systems without hard links. */
function keep(file: string, name: string): void {
  try {
    linkSync(file, name);
  } catch {
    copyFileSync(file, name);
  }
}
