/** Messages of a worker to the supervisor. */
export type FromWorker =
  /**
   * It is about to start with this generation; `isProven` when the service has run with it before, `sharesDatabase` when
   * the settings before it name the same database.
   */
  | { kind: 'opening'; generation: number; isProven: boolean; sharesDatabase: boolean }
  /** Its database answers. */
  | { kind: 'opened' }
  /** `freePort` when any free port was requested. */
  | { kind: 'ready'; greeting: string; port: number; freePort: boolean }
  /** `isDatabase` when its database is not available. */
  | { kind: 'failed'; text: string; reason: string; isDatabase: boolean }
  | { kind: 'restart' };

/** A generation with which the service could not start, and why. */
export interface Rejected {
  generation: number;
  reason: string;
}

/** Messages of the supervisor to a worker. */
export type ToWorker =
  | { kind: 'stop' }
  /** Another worker has taken over: finish the requests in flight and exit. */
  | { kind: 'retire' }
  | { kind: 'restartFailed'; rejected: Rejected | undefined; reason: string };

/** The environment variable by which a supervisor gives all its workers the same id of the instance. */
export const INSTANCE_VARIABLE = 'KAPTAIN_WORKER_INSTANCE';

/** The environment variable that tells a worker why it was started. */
export const START_REASON_VARIABLE = 'KAPTAIN_WORKER_START';
export interface StartReason {
  /** When the restart was requested that started this worker; 0 at the first start. */
  restartedAt: number;
  /** The generations that were rejected, newest first; the worker starts with the one before them. */
  rejected: readonly Rejected[];
  /** Whether a worker of this supervisor has been ready: the service has run with the settings before. */
  hasRunBefore: boolean;
}
