import type { Store } from '@kaptain/store';
import type { Concurrency } from '../../http/concurrency.ts';
import type { Log } from '../../logging/logs.ts';
import type { Sessions } from '../../security/sessions.ts';

export interface GranulesDeps {
  store: Store;
  sessions: Sessions;
  log: Log;
  clock: () => number;
  /** Long answers, each of which keeps a snapshot of the store. */
  streams: Concurrency;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}
