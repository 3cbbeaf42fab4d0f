import type { Route } from '@kaptain/contract';
import type { Caller, SessionCaller } from '../../base/call/call.ts';
import type { Settings } from '../../base/config/settings.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { proofMethods } from './second-factor.ts';

/** How long a proof of identity counts for sensitive actions. */
const PROOF_MS = 15 * 60_000;

/** Whether the settings require a second factor that this caller does not have. */
export const mustSetUpFactor = (
  caller: Pick<Caller, 'role'> & { hasSecondFactor: boolean },
  settings: Settings,
) => settings.current().adminsNeedSecondFactor && caller.role === 'ADMIN' && !caller.hasSecondFactor;

type When = NonNullable<Route['proof']>;

/** Whether callers have shown recently who they are. An API key has no session to prove, and is never asked. */
export interface RecentProof {
  /** Whether `require` refuses. */
  isMissing(when: When, caller: Caller): boolean;
  /** Refuses a caller whose last proof is too old: always, or while the settings ask for it. */
  require(when: When, caller: Caller): void;
}

export function createRecentProof(settings: Settings, clock: () => number): RecentProof {
  function isMissing(when: When, caller: Caller): boolean {
    const { sessionId, provenAt = '' } = caller as Partial<SessionCaller>;
    const isAsked = when === 'always' || settings.current().askAgain;
    // A proof in the future was made while the clock was ahead.
    const isRecent = Math.abs(clock() - Date.parse(provenAt)) < PROOF_MS;
    return sessionId !== undefined && isAsked && !isRecent;
  }
  return {
    isMissing,
    require(when, caller) {
      if (!isMissing(when, caller)) return;
      const { isByProvider, user = {} } = caller as Partial<SessionCaller>;
      throw new AppError('PROOF_NEEDED', 'Please confirm that it is you.', {
        details: { methods: isByProvider ? ['signIn'] : proofMethods(user) },
      });
    },
  };
}

/** Refuses an ADMIN who has still to set up a second factor, and a sensitive call without a proof. */
export function identityCheck(settings: Settings, recentProof: RecentProof) {
  return ({ proof, beforeSecondFactor }: Route, caller: Caller): void => {
    const { sessionId, hasSecondFactor = false } = caller as Partial<SessionCaller>;
    if (sessionId === undefined) return;
    if (!beforeSecondFactor && mustSetUpFactor({ role: caller.role, hasSecondFactor }, settings))
      throw new AppError('SECOND_FACTOR_NEEDED');
    if (proof) recentProof.require(proof, caller);
  };
}
