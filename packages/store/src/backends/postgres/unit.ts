import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import { unitEnded, withinLimit } from '../shared/unit-limit.ts';
import { UnitScope } from '../shared/unit-scope.ts';
import { type Connections, inTransaction, type Work } from './connections.ts';
import { isCollision, isLocked } from './driver-errors.ts';
import { locks } from './locks.ts';
import type { Session } from './session.ts';
import { FIRST_LOCK_MS, LOCK_MS, LOCKED_PAUSE_MS } from './tuning.ts';

/*
 * Units of work and single writes of documents are serializable transactions: they run beside each other, and PostgreSQL
 * lets one of two commit that could not have run one after the other; the other one runs again. No unit waits for a unit
 * that touches other rows. Granules are guarded by their kapsule's counters, for which a unit waits a short time, then
 * rolls back and runs again: an import that publishes a million rows holds them for long.
 */
export const SERIALIZABLE = 'BEGIN ISOLATION LEVEL SERIALIZABLE';
const KAPSULE_LOCK = locks.kapsule('$1');

/** A step of the unit, on its connection. */
type Step = <T>(work: Work<T>) => Promise<T>;

/** The reasons why an attempt failed, so that the unit runs again. */
interface Attempt {
  /** A row was locked for too long. */
  isBusy: boolean;
  /** Another transaction committed first. */
  isOvertaken: boolean;
  /** The kapsule whose counters another transaction changed. */
  kapsuleId?: string | undefined;
}
const newAttempt = (): Attempt => ({ isBusy: false, isOvertaken: false });

export class Units {
  readonly #connections: Connections;
  readonly #scope = new UnitScope();

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  refuseInside(): void {
    this.#scope.refuseInside();
  }

  async run<T>(limitMs: number, work: (step: Step) => Promise<T>): Promise<T> {
    this.refuseInside();
    const deadline = performance.now() + limitMs;
    const { units, busyUnits } = this.#connections;
    let before: Attempt | undefined;
    for (;;) {
      const attempt = newAttempt();
      try {
        const once = () => units.run(() => this.#once(limitMs, work, attempt, before));
        return await (before?.isBusy ? busyUnits.run(once) : once());
      } catch (error) {
        if (isCollision(error)) attempt.isOvertaken = true;
        if (!attempt.isBusy && !attempt.isOvertaken) throw error;
        if (performance.now() > deadline)
          throw new UnavailableError('Others are writing the same for long; try again later.', {
            cause: error,
          });
        // Two that overtake each other again and again must not do so in step.
        await sleep(
          attempt.isBusy
            ? LOCKED_PAUSE_MS
            : Math.random() * (before ? LOCKED_PAUSE_MS : LOCKED_PAUSE_MS / 10),
        );
        before = { ...attempt, isBusy: attempt.isBusy || before?.isBusy === true };
      }
    }
  }

  #once<T>(
    limitMs: number,
    work: (step: Step) => Promise<T>,
    attempt: Attempt,
    before: Attempt | undefined,
  ): Promise<T> {
    const lockMs = before ? LOCK_MS : FIRST_LOCK_MS;
    const begin = `${SERIALIZABLE}; SET LOCAL lock_timeout = '${lockMs}ms'`;
    return this.#connections.once((session) =>
      withoutSaves(session, before?.kapsuleId, attempt, () =>
        inTransaction(session, begin, () => this.guarded(session, limitMs, work, attempt)),
      ),
    );
  }

  /** Runs the work inside a transaction that is open already; its steps run one at a time and end with it. */
  async guarded<T>(
    session: Session,
    limitMs: number,
    work: (step: Step) => Promise<T>,
    attempt = newAttempt(),
  ): Promise<T> {
    let isOpen = true;
    let last: Promise<unknown> = Promise.resolve();
    const step: Step = (part) => {
      const next = last.then(async () => {
        if (!isOpen) throw unitEnded();
        return noting(attempt, session, () => part(session));
      });
      last = next.catch(() => undefined);
      return next;
    };
    try {
      const result = await this.#scope.run(() => withinLimit(limitMs, () => work(step)));
      // The work may have got over the failed step, but its transaction has not.
      if (attempt.isBusy || attempt.isOvertaken) throw new UnavailableError('Others are writing the same.');
      return result;
    } finally {
      isOpen = false;
      await last;
    }
  }
}

/** Notes in the attempt why a part of it has failed. */
async function noting<T>(attempt: Attempt, session: Session, part: () => Promise<T>): Promise<T> {
  session.lockedKapsule = undefined;
  try {
    return await part();
  } catch (error) {
    if (isLocked(error)) attempt.isBusy = true;
    if (isCollision(error)) {
      attempt.isOvertaken = true;
      attempt.kapsuleId = session.lockedKapsule;
    }
    throw error;
  }
}

/**
 * Keeps saves out of a kapsule while the work runs: a unit whose kapsule is saved to all the time would be overtaken again
 * and again. The lock is of the session, because the snapshot of the transaction must be taken after the wait.
 */
async function withoutSaves<T>(
  session: Session,
  kapsuleId: string | undefined,
  attempt: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  if (kapsuleId === undefined) return work();
  await session.exec(`SET lock_timeout = '${LOCK_MS}ms'`);
  try {
    await noting(attempt, session, () => session.run(`SELECT pg_advisory_lock(${KAPSULE_LOCK})`, kapsuleId));
    return await work();
  } finally {
    // Without effect where the lock was not acquired; with the connection the lock ends too.
    const unlock = async () => {
      await session.exec('SET lock_timeout = 0');
      await session.run(`SELECT pg_advisory_unlock(${KAPSULE_LOCK})`, kapsuleId);
    };
    await unlock().catch(() => undefined);
  }
}
