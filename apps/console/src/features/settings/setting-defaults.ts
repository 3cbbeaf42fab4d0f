import { dataSourceFields } from '@kaptain/contract/settings/data-source-fields';
import type { ConnectionMode, DataSourceType } from '@kaptain/contract/vocabulary';
import { type Block, blockOf } from './paths.ts';

/** Spec 9. */
export const logLevels = ['debug', 'warn', 'info', 'error'] as const;
export const databaseTypes = ['mongodb', 'postgres'] as const;

const serverDefaults = {
  hostname: '',
  qrsHostname: '',
  prefix: '',
  isSecure: true,
  userIdAttr: 'userId',
  userDirectoryAttr: 'userDirectory',
};
export const hostDefaults: Record<ConnectionMode, Block> = {
  CERT: { ...serverDefaults, useQlikLocalCertificates: true, certFile: '', keyFile: '', caFile: '' },
  JWT: { ...serverDefaults, keyFile: '' },
  SAAS: { hostname: '', apiKey: '' },
  DESKTOP: {},
};
/** Spec 3: hidden values that no user can change. */
export const hostFixed: Record<ConnectionMode, Block> = {
  CERT: {},
  JWT: {},
  SAAS: {},
  DESKTOP: { hostname: 'localhost:9076', prefix: '', isSecure: false },
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
