import type { Store } from '@kaptain/store';
import type { Settings } from '../../base/config/settings.ts';
import type { Log } from '../../base/logging/logs.ts';
import type { RecentProof } from '../../identity/second-factor/identity.ts';

export interface JobsDeps {
  store: Store;
  clock: () => number;
  log: Log;
  settings: Pick<Settings, 'whole'>;
  dataDir: string;
  recentProof: RecentProof;
}
