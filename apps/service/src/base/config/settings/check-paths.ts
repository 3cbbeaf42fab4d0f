import { accessSync, constants, statSync } from 'node:fs';
import { LOCAL_CERTIFICATES_ROOT, type SettingsUpdate } from '@kaptain/contract';
import { isAllowedPath, settingsPath } from './allowed-paths.ts';
import { Refusal } from './refusal.ts';
import { valueAt } from './value-at.ts';

export interface PathDeps {
  dataDir: string;
  allowedFolders: readonly string[];
}

const pathFields = [
  ['system.logPath', 'Log path'],
  ['backup.folder', 'Backup folder'],
  ['oracle.ORACLE_LIB', 'Library path'],
  ['hosts.CERT.qlikLocalCertificatesRoot', 'Local certificates'],
  ['hosts.CERT.certFile', 'Certificate File'],
  ['hosts.CERT.keyFile', 'Key File'],
  ['hosts.CERT.caFile', 'Root File'],
  ['hosts.JWT.keyFile', 'Key File'],
] as const;
const isPlatformFile = (field: string) => /^hosts\..*File$/.test(field);

/** Refuses paths outside the allowed folders; checks only fields for which `isAsked` is true. */
export function checkPaths(
  settings: SettingsUpdate,
  isAsked: (field: string) => boolean,
  deps: PathDeps,
): void {
  for (const [field, label] of pathFields) {
    const path = valueAt(settings, field.split('.'));
    if (typeof path !== 'string' || path === '' || path === LOCAL_CERTIFICATES_ROOT || !isAsked(field))
      continue;
    if (!isAllowedPath(path, deps.dataDir, deps.allowedFolders))
      throw new Refusal(
        field,
        `${label} must lie inside the data folder or a folder that "allowedFolders" in kaptain.json names.`,
      );
    if (isPlatformFile(field)) checkReadable(settingsPath(deps.dataDir, path), field, label);
  }
  const driver = valueAt(settings, ['mssql', 'DRIVER']);
  if (typeof driver === 'string' && /[/\\]/.test(driver))
    throw new Refusal('mssql.DRIVER', 'Driver is a name, not a path.');
}

function checkReadable(path: string, field: string, label: string): void {
  try {
    accessSync(path, constants.R_OK);
    if (statSync(path).isFile()) return;
  } catch {
    // Refused below.
  }
  throw new Refusal(field, `${label} is not there. Please upload it again.`);
}
