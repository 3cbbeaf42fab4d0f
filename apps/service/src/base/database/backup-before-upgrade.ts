import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { UnavailableError, writeBackup } from '@kaptain/store';
import { makeFolder } from '../config/make-folder.ts';
import { backupContent } from './backup-content.ts';

/**
 * Makes a backup before the database is changed in a way that earlier versions can't work with: restoring it is the way
 * back to them. It is removed by no retention. The answer removes it again.
 */
export function backupBeforeUpgrade(dataDir: string, databaseFile: string, now = Date.now()): () => void {
  const folder = join(dataDir, 'backups');
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-');
  const target = join(folder, `before-upgrade-${time}Z.backup`);
  try {
    makeFolder(folder);
    writeBackup(databaseFile, target, backupContent(dataDir, now));
  } catch (cause) {
    throw new UnavailableError(
      `This version must change the database, and the backup before that could not be written to ${folder}: make sure that it has room and that the service can write to it. Nothing was changed.`,
      { cause },
    );
  }
  return () => rmSync(target, { force: true });
}
