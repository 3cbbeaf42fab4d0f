import type { Log } from '../../base/logging/logs.ts';
import type { ConcurrencyLimit } from '../../http/limits/concurrency-limit.ts';
import type { Sessions } from '../../identity/sessions/sessions.ts';
import type { SheetLimit } from '../data-api/sheet-limit.ts';
import type { Databases } from '../data-sources/data-sources.ts';
import type { ReadKnownValues } from '../values/known-values.ts';

export interface GranulesDeps extends Databases {
  sessions: Sessions;
  log: Log;
  sheetLimit: SheetLimit;
  readKnownValues: ReadKnownValues;
  clock: () => number;
  /** Limits the event streams. */
  eventStreams: ConcurrencyLimit;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}
