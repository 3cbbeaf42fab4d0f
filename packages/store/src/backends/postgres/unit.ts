import { setTimeout as sleep } from 'node:timers/promises';
import { UnavailableError } from '../../errors.ts';
import { unitEnded, withinLimit } from '../shared/unit-limit.ts';
import { UnitScope } from '../shared/unit-scope.ts';
import { type Connections, inTransaction, type Work } from './connections.ts';
import { codeOf, isCollision } from './driver-errors.ts';
import { locks } from './locks.ts';
import type { Session } from './session.ts';

/*
 * Units of work run one after another in all instances: each holds one lock of the database alone. Single writes of
 * documents share that lock, so they run beside each other but never beside a unit. Granules are guarded by their
 * kapsule's counters instead, for which a unit waits 300 ms: an import that publishes a million rows holds them for
 * long, so the unit rolls back, lets other units run, and runs again. Saves of granules need no unit (granules/save.ts).
 */
const BEGIN_UNIT = `
  BEGIN; SELECT pg_advisory_xact_lock(${locks.documents}); SET LOCAL lock_timeout = '300ms'`;
export const BEGIN_WRITE = `BEGIN; SELECT pg_advisory_xact_lock_shared(${locks.documents})`;

const LOCK_NOT_AVAILABLE = '55P03';
const PAUSE_MS = 50;

/** A step of the unit, on its connection. */
export type Step = <T>(work: Work<T>) => Promise<T>;

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
    for (;;) {
      const attempt = { isBusy: false };
      try {
        return await this.#connections.units.run(() => this.#once(limitMs, work, attempt));
      } catch (error) {
        if (!attempt.isBusy && !isCollision(error)) throw error;
        if (performance.now() > deadline) {
          throw new UnavailableError('Others are writing to the same kapsule for long; try again later.');
        }
        await sleep(PAUSE_MS);
      }
    }
  }

  #once<T>(limitMs: number, work: (step: Step) => Promise<T>, attempt: { isBusy: boolean }): Promise<T> {
    return this.#connections.once((session) =>
      inTransaction(session, BEGIN_UNIT, () => this.guarded(session, limitMs, work, attempt)),
    );
  }

  /** Runs the work inside a transaction that is open already; its steps end with it. */
  async guarded<T>(
    session: Session,
    limitMs: number,
    work: (step: Step) => Promise<T>,
    attempt = { isBusy: false },
  ): Promise<T> {
    let isOpen = true;
    const step: Step = async (part) => {
      if (!isOpen) throw unitEnded();
      try {
        return await part(session);
      } catch (error) {
        if (codeOf(error) === LOCK_NOT_AVAILABLE) attempt.isBusy = true;
        throw error;
      }
    };
    try {
      const result = await this.#scope.run(() => withinLimit(limitMs, () => work(step)));
      // The work may have got over the failed step, but its transaction has not.
      if (attempt.isBusy) throw new UnavailableError('The kapsule is busy.');
      return result;
    } finally {
      isOpen = false;
    }
  }
}
