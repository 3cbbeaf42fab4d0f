import type { Store } from '@kaptain/store';
import type { Log } from '../../logging/logs.ts';

export interface JobsDeps {
  store: Store;
  clock: () => number;
  log: Log;
}
