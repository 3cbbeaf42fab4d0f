import type { Store } from '@kaptain/store';
import type { Settings } from '../../config/settings.ts';
import type { Log } from '../../logging/logs.ts';
import type { RecentProof } from '../../security/identity.ts';

export interface JobsDeps {
  store: Store;
  clock: () => number;
  log: Log;
  settings: Pick<Settings, 'whole'>;
  dataDir: string;
  recentProof: RecentProof;
}
