import type { Store } from '@kaptain/store';
import { connectionTesters } from '../../checks/testers.ts';
import { CertificateFiles } from '../../config/settings/certificate-files.ts';
import type { OpenDatabase } from '../../config/settings/open-database.ts';
import { databaseSwitch } from './database-switch.ts';
import type { SettingsDeps } from './settings-deps.ts';

interface Deps {
  dataDir: string;
  allowedFolders: readonly string[];
  store: Store;
  openDatabase: OpenDatabase;
  clock: () => number;
}

/** The dependencies of the settings feature alone. */
export const settingsParts = (
  deps: Deps,
): Pick<SettingsDeps, 'certificates' | 'testers' | 'switchDatabase'> => ({
  certificates: new CertificateFiles(deps.dataDir),
  testers: connectionTesters(deps),
  switchDatabase: databaseSwitch(deps),
});
