import type { Store } from '@kaptain/store';
import { connectionTesters } from '../../checks/testers.ts';
import { CertificateFiles } from '../../config/settings/certificate-files.ts';
import { fileHome } from '../../config/settings/home.ts';
import type { OpenDatabase } from '../../config/settings/open-database.ts';
import type { KeptSettings } from '../../config/settings.ts';
import type { Shared } from '../../instances/shared.ts';
import { databaseSwitch } from './database-switch.ts';
import type { SettingsDeps } from './settings-deps.ts';

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
export const settingsParts = (
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
