import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../base/config/make-folder.ts';
import { settingsPath } from '../../base/config/settings/allowed-paths.ts';
import type { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import { checkPaths, type PathDeps } from '../../base/config/settings/check-paths.ts';
import { changedFieldNames } from '../../base/config/settings/differences.ts';
import type { SavedState } from '../../base/config/settings/generation-file.ts';
import { Refusal } from '../../base/config/settings/refusal.ts';
import { tlsOptions, tryTls } from '../../base/config/settings/tls.ts';
import type { SwitchDatabase } from './database-switch.ts';
import { tryProvider } from './try-provider.ts';

export interface TrialDeps extends PathDeps {
  certificates: CertificateFiles;
  clock: () => number;
  switchDatabase: SwitchDatabase;
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
