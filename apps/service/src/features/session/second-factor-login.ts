import type { Store } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import type { Attempts } from '../../security/attempts.ts';
import type { Challenges } from '../../security/challenges.ts';
import type { RateLimit } from '../../security/rate-limit.ts';
import { factorOf, type SecondFactors } from '../../security/second-factor.ts';
import type { Sessions } from '../../security/sessions.ts';
import { type LoginAnswer, openSession } from './open-session.ts';

interface Deps {
  store: Store;
  sessions: Sessions;
  attempts: Attempts;
  challenges: Challenges;
  secondFactors: SecondFactors;
  addressLimit: RateLimit;
  clock: () => number;
}

const WRONG = 'This code is not right or was used already, or the account is temporarily locked.';
const GUESSED = 'Too many failed logins from this address. Please try again later.';

export type SecondFactorLogin = (
  given: { challenge: string; code: string },
  call: Call,
) => Promise<LoginAnswer>;

/** The second step of a login: a code, counted and locked like a password. */
export function createSecondFactorLogin(deps: Deps): SecondFactorLogin {
  const { store, attempts, challenges, secondFactors, addressLimit, clock } = deps;
  return async ({ challenge, code }, call) => {
    const begun = await challenges.find(store, 'login', challenge);
    const user = begun && (await store.users.get(begun.userId));
    if (!user) {
      // Counts on the address alone: the answer tells nothing about any account.
      addressLimit.consume(call.ip, GUESSED);
      throw new AppError('SIGN_IN_EXPIRED');
    }
    return attempts(
      {
        userId: user.id,
        username: user.username,
        async accept(nouns, current, cleared) {
          // Of parallel calls, one removes the challenge.
          const own = await challenges.find(nouns, 'login', challenge);
          if (!own) throw new AppError('SIGN_IN_EXPIRED');
          const used = secondFactors.useCode(current, code, clock());
          if (!used) return undefined;
          await nouns.challenges.remove(own.id);
          const { secondFactor } = used;
          const left = factorOf({ secondFactor }).recoveryHashes.length;
          const after = { secondFactor: used.kind, ...(used.kind === 'recovery code' && { left }) };
          return openSession(nouns, deps, current, { ...cleared, secondFactor }, call, after);
        },
        action: 'session.loginRefused',
        refusal: () => new AppError('LOGIN_REFUSED', WRONG),
        gone: () => new AppError('SIGN_IN_EXPIRED'),
      },
      call,
    );
  };
}
