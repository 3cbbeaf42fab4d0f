import type { Store } from '@kaptain/store';
import type { CertificateFiles } from '../../base/config/settings/certificate-files.ts';
import type { KeptSettings } from '../../base/config/settings.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { ConnectionTesters } from '../checks/connection-testers.ts';
import type { Shared } from '../instances/share-settings.ts';
import type { Restarts } from '../supervisor/restarts.ts';
import type { SettingsHome } from './settings-home.ts';
import type { TestSignInDeps } from './test-sign-in.ts';
import type { TrialDeps } from './try-settings.ts';

export interface SettingsDeps extends TrialDeps, TestSignInDeps {
  store: Store;
  settings: KeptSettings;
  certificates: CertificateFiles;
  home: SettingsHome;
  /** Undefined when this instance is the only one on its database. */
  shared: Shared | undefined;
  restarts: Restarts;
  testers: ConnectionTesters;
  licenseKey: string;
  /** From the boot file; SPEC 3 shows it read-only. */
  port: number;
  log: Log;
}
