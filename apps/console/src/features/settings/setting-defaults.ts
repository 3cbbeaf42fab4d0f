import { dataSourceFields } from '@kaptain/contract/settings/data-source-fields';
import { emptyHosts } from '@kaptain/contract/settings/untouched';
import type { ConnectionMode, DataSourceType } from '@kaptain/contract/vocabulary';
import { type Block, blockOf } from './paths.ts';

/** Spec 9. */
export const logLevels = ['debug', 'warn', 'info', 'error'] as const;
export const databaseTypes = ['mongodb', 'postgres'] as const;

/** How often the service makes a backup of its built-in database. */
export const backupIntervals = { never: 'Never', day: 'Every day', week: 'Every Sunday' } as const;
export const noBackups = { every: 'never', hour: 2, keep: 7, folder: '' } as const;

/** Spec 3: hidden values that no user can change; in Desktop mode all are. */
export const fixedOf = (mode: ConnectionMode): Block => {
  const { mode: name, schema, ...rest } = emptyHosts[mode];
  return { mode: name, schema, ...(mode === 'DESKTOP' && rest) };
};

/** A new entry of the list, with the defaults of Spec 9. */
export function newDataSource(type: DataSourceType): Block {
  const block: Block = {};
  for (const { key, kind, default: value } of dataSourceFields[type]) {
    const [outer = '', inner] = key.split('.');
    const initial = value ?? (kind === 'checkbox' ? false : '');
    if (inner === undefined) block[outer] = initial;
    else block[outer] = { ...blockOf(block[outer]), [inner]: initial };
  }
  return block;
}

/** The saved settings, with defaults for missing values. */
export function wholeDataSource(type: DataSourceType, saved: Block): Block {
  const fresh = newDataSource(type);
  const options = { ...blockOf(fresh['OPTIONS']), ...blockOf(saved['OPTIONS']) };
  return { ...fresh, ...saved, ...(fresh['OPTIONS'] !== undefined && { OPTIONS: options }) };
}
