import type { ConcurrencyLimit } from '../../http/concurrency-limit.ts';
import type { Databases } from '../../kapsule-rules/data-sources.ts';
import type { Log } from '../../logging/logs.ts';
import type { Sessions } from '../../security/sessions.ts';
import type { SheetLimit } from '../../security/sheet-limit.ts';

export interface GranulesDeps extends Databases {
  sessions: Sessions;
  log: Log;
  sheetLimit: SheetLimit;
  clock: () => number;
  /** Limits the event streams. */
  eventStreams: ConcurrencyLimit;
  /** Aborts when the service stops. */
  stopping: AbortSignal;
}
