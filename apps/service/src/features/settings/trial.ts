import { randomBytes } from 'node:crypto';
import { accessSync, constants, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_CERTIFICATES_ROOT, type SettingsUpdate } from '@kaptain/contract';
import { makeFolder } from '../../config/make-folder.ts';
import { isAllowedPath, settingsPath } from '../../config/settings/allowed-paths.ts';
import type { CertificateFiles } from '../../config/settings/certificate-files.ts';
import { changedFieldNames } from '../../config/settings/differences.ts';
import type { SavedState } from '../../config/settings/generation-file.ts';
import { Refusal } from '../../config/settings/refusal.ts';
import { tlsOptions, tryTls } from '../../config/settings/tls.ts';
import { valueAt } from '../../config/settings/value-at.ts';
import type { SwitchDatabase } from './database-switch.ts';
import { tryProvider } from './try-provider.ts';

export interface PathDeps {
  dataDir: string;
  allowedFolders: readonly string[];
}

export interface TrialDeps extends PathDeps {
  certificates: CertificateFiles;
  clock: () => number;
  switchDatabase: SwitchDatabase;
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

/** Refuses paths outside the allowed folders; checks the fields for which `isAsked`. */
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

/** Refuses a folder into which the service can't write. */
function checkFolder(field: string, given: string, what: string, { dataDir }: TrialDeps): void {
  if (given === '') return;
  try {
    const folder = settingsPath(dataDir, given);
    makeFolder(folder);
    // Writes a file: only that proves the permission to write, on Windows and for root too.
    const probe = join(folder, `.probe-${randomBytes(6).toString('hex')}`);
    writeFileSync(probe, '', { flag: 'wx' });
    rmSync(probe);
  } catch {
    throw new Refusal(field, `The service can not write ${what} into this folder.`);
  }
}

const tlsFields =
  /^(settings\.(https|usePfxCertificate|pfxPassword)|server\.pfx|server\.pem|server_key\.pem)$/;
const databaseField = /^db\.KAPTAIN_/;

/** Tries the changed parts before anything is stored; refuses settings that do not work, naming their field. */
export async function trySettings(
  next: SavedState,
  before: SavedState,
  userId: string,
  deps: TrialDeps,
): Promise<void> {
  const changed = new Set(changedFieldNames(before, next));
  checkPaths(next.settings, (field) => changed.has(field), deps);
  if ([...changed].some((field) => tlsFields.test(field))) {
    const tls = tlsOptions(next.settings, next.files, deps.certificates);
    if (tls) await tryTls(tls, deps.clock());
  }
  if (next.settings.provider?.enabled && [...changed].some((field) => field.startsWith('provider.')))
    await tryProvider(next.settings.provider, deps.clock);
  const { system, backup } = next.settings;
  if (changed.has('system.logPath')) checkFolder('system.logPath', system.logPath, 'logs', deps);
  if (changed.has('backup.folder')) checkFolder('backup.folder', backup.folder, 'backups', deps);
  if ([...changed].some((field) => databaseField.test(field)))
    await deps.switchDatabase(next.settings, userId);
}
