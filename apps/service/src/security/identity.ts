import type { Route } from '@kaptain/contract';
import type { Settings } from '../config/settings.ts';
import { AppError } from '../http/app-error.ts';
import type { Caller, SessionCaller } from '../http/call.ts';
import { proofMethods } from './second-factor.ts';

/** How long a proof of identity counts for sensitive actions. */
const PROOF_MS = 15 * 60_000;

/** Whether the settings require a second factor that this caller does not have. */
export const mustSetUpFactor = (
  caller: Pick<Caller, 'role'> & { hasSecondFactor: boolean },
  settings: Settings,
) => settings.current().adminsNeedSecondFactor && caller.role === 'ADMIN' && !caller.hasSecondFactor;

/**
 * Refuses an ADMIN who has still to set up a second factor, and a sensitive action whose caller last showed who they
 * are too long ago. An API key has no session: it opens the data API alone, where nothing is sensitive.
 */
export function identityCheck(settings: Settings, clock: () => number) {
  return ({ proof, beforeSecondFactor }: Route, caller: Caller): void => {
    const {
      sessionId,
      provenAt = '',
      hasSecondFactor = false,
      isByProvider,
      user = {},
    } = caller as Partial<SessionCaller>;
    if (sessionId === undefined) return;
    if (!beforeSecondFactor && mustSetUpFactor({ role: caller.role, hasSecondFactor }, settings))
      throw new AppError('SECOND_FACTOR_NEEDED');
    const isAsked = proof === 'always' || (proof === 'ifAsked' && settings.current().askAgain);
    // A proof in the future was made while the clock was ahead.
    if (!isAsked || Math.abs(clock() - Date.parse(provenAt)) < PROOF_MS) return;
    throw new AppError('PROOF_NEEDED', 'Please confirm that it is you.', {
      details: { methods: isByProvider ? ['signIn'] : proofMethods(user) },
    });
  };
}
