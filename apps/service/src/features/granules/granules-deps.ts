import type { Store } from '@kaptain/store';
import type { Log } from '../../logging/logs.ts';
import type { Sessions } from '../../security/sessions.ts';

export interface GranulesDeps {
  store: Store;
  sessions: Sessions;
  log: Log;
  clock: () => number;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}
