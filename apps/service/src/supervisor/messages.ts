/** What a worker tells the supervisor. */
export type FromWorker =
  /** It is about to start with this generation; proven when the service ran with it before. */
  | { kind: 'opening'; generation: number; isProven: boolean }
  /** `freePort` when any free one was asked for. */
  | { kind: 'ready'; greeting: string; port: number; freePort: boolean }
  | { kind: 'failed'; text: string; reason: string }
  | { kind: 'restart' };

/** A generation with which the service could not start, and why. */
export interface Rejected {
  generation: number;
  reason: string;
}

/** What the supervisor tells a worker. */
export type ToWorker =
  | { kind: 'stop' }
  /** Another worker has taken over: finish what is in flight and go. */
  | { kind: 'retire' }
  | { kind: 'restartFailed'; rejected: Rejected | undefined; reason: string };

/** How a worker learns of what happened before it was born. */
export const BIRTH_VARIABLE = 'KAPTAIN_WORKER_BIRTH';
export interface Birth {
  /** When the restart was asked for to which it owes its life; 0 at the first start. */
  restartedAt: number;
  /** It starts with the generation before this one. */
  rejected: Rejected | undefined;
}
