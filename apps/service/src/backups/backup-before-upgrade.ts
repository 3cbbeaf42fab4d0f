import { join } from 'node:path';
import { writeBackup } from '@kaptain/store';
import { makeFolder } from '../config/make-folder.ts';
import { backupContent } from './backup-content.ts';

/**
 * Makes a backup before the database is changed in a way that earlier versions can't work with: restoring it is the way
 * back to them. It is removed by no retention.
 */
export function backupBeforeUpgrade(dataDir: string, databaseFile: string, now = Date.now()): void {
  const folder = join(dataDir, 'backups');
  makeFolder(folder);
  const content = backupContent(dataDir, now);
  const name = `before-upgrade-${content.at.slice(0, 19).replaceAll(':', '-')}Z.backup`;
  writeBackup(databaseFile, join(folder, name), content);
}
