import type { Store } from '@kaptain/store';

export interface GranulesDeps {
  store: Store;
  clock: () => number;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}
