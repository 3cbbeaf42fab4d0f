import { statSync } from 'node:fs';
import { UnavailableError } from '../../../errors.ts';
import { OTHER_VERSION } from '../../shared/upgrades/steps.ts';
import { Connection } from '../connection.ts';
import { createMissingTables } from '../noun-tables.ts';
import { WHOLE_FILE_BUSY_MS } from '../tuning.ts';
import { doSteps, hasBreakingSteps, refuseForeign, schemaVersion, steps } from './migrations.ts';
import { changeActiveSchema, readActiveSchema } from './schema-state.ts';

/** Makes a backup; the answer removes it again. */
export type BeforeUpgrade = () => () => void;

/**
 * Changes the schema of a file with data to that of this version, in one transaction, while no other process has the file
 * open. Otherwise it is pending until the next start, and only tables that this version can't work without refuse the
 * start. `beforeUpgrade` makes a backup: earlier versions may not open the file afterwards.
 */
export function upgradeFile(file: string, beforeUpgrade: BeforeUpgrade, allSteps = steps): void {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  const connection = new Connection(file, { readOnly: false, busyMs: WHOLE_FILE_BUSY_MS });
  try {
    refuseForeign(connection);
    if (schemaVersion(connection) === 0) return;
    const isBreaking = hasBreakingSteps(connection, allSteps);
    if (!isBreaking && !hasChanges(connection)) return;
    if (isAlone(connection) && upgradeWithBackup(connection, beforeUpgrade, allSteps)) return;
    if (isBreaking) throw new UnavailableError(OTHER_VERSION);
  } finally {
    connection.close();
  }
}

const hasChanges = (connection: Connection): boolean =>
  readActiveSchema(connection).schema.changes().length > 0;

/** Only the last connection can switch the write-ahead log off. */
function isAlone(connection: Connection): boolean {
  try {
    let mode = '';
    connection.withoutWaiting(() => {
      mode = (connection.get('PRAGMA journal_mode = DELETE') as { journal_mode: string }).journal_mode;
    });
    return mode === 'delete';
  } catch (error) {
    if (error instanceof UnavailableError && !error.message.includes('damaged')) return false;
    throw error;
  }
}

/** Without the upgrade the backup is removed: a start that fails again and again must not fill the disk. */
function upgradeWithBackup(
  connection: Connection,
  beforeUpgrade: BeforeUpgrade,
  allSteps: typeof steps,
): boolean {
  const removeBackup = beforeUpgrade();
  let isDone = false;
  try {
    isDone = upgrade(connection, allSteps);
    return isDone;
  } finally {
    if (!isDone) removeBackup();
  }
}

/** Says whether it was done: another process may have opened the file since it was alone. */
function upgrade(connection: Connection, allSteps: typeof steps): boolean {
  connection.exec('BEGIN EXCLUSIVE');
  try {
    const { journal_mode: mode } = connection.get('PRAGMA journal_mode') as { journal_mode: string };
    if (mode !== 'delete') {
      connection.exec('ROLLBACK');
      return false;
    }
    doSteps(connection, true, allSteps);
    createMissingTables(connection);
    changeActiveSchema(connection, readActiveSchema(connection).schema.changes());
    connection.exec('COMMIT');
    return true;
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK');
    throw error;
  }
}
