import type { Store } from '@kaptain/store';
import { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import type { OpenDatabase } from '../../base/database/open-database.ts';
import { connectionTesters } from '../checks/connection-testers.ts';
import type { Shared } from '../instances/share-settings.ts';
import { databaseSwitch } from './database-switch.ts';
import type { SettingsDeps } from './settings-deps.ts';
import { fileHome } from './settings-home.ts';

interface Deps {
  dataDir: string;
  allowedFolders: readonly string[];
  store: Store;
  settings: KeptSettings;
  shared: Shared | undefined;
  openDatabase: OpenDatabase;
  clock: () => number;
}

/** The dependencies of the settings feature alone. */
export const settingsServices = (
  deps: Deps,
): Pick<SettingsDeps, 'certificates' | 'home' | 'testers' | 'switchDatabase'> => {
  const certificates = new CertificateFiles(deps.dataDir);
  return {
    certificates,
    home: deps.shared?.home ?? fileHome({ ...deps, certificates }),
    testers: connectionTesters(deps),
    switchDatabase: databaseSwitch(deps),
  };
};
