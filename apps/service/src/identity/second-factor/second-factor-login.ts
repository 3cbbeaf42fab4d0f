import type { PasskeyProof, PasskeyRequest } from '@kaptain/contract';
import type { ChallengeRecord, Nouns, Store, UserRecord } from '@kaptain/store';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { RateLimit } from '../../http/limits/rate-limit.ts';
import type { Attempts } from '../passwords/attempts.ts';
import type { Challenges } from '../sessions/challenges.ts';
import { type LoginAnswer, openSession } from '../sessions/open-session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Passkeys } from './passkeys.ts';
import { auditedUse, type SecondFactors, type UsedFactor } from './second-factor.ts';

interface Deps {
  store: Store;
  sessions: Sessions;
  attempts: Attempts;
  challenges: Challenges;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  addressLimit: RateLimit;
  clock: () => number;
}

const WRONG = 'This code is not right or was used already, or the account is temporarily locked.';
const NOT_ACCEPTED = 'The passkey was not accepted, or the account is temporarily locked.';
const GUESSED = 'Too many failed logins from this address. Please try again later.';

interface FactorAnswer {
  challenge: string;
  code?: string | undefined;
  passkey?: PasskeyProof | undefined;
}

/** The second step of a login: a code or a passkey, counted and locked like a password. */
export interface SecondFactorLogin {
  startPasskey(challenge: string, call: Call): Promise<PasskeyRequest>;
  finish(given: FactorAnswer, call: Call): Promise<LoginAnswer>;
}

export function createSecondFactorLogin(deps: Deps): SecondFactorLogin {
  const { store, attempts, challenges, secondFactors, passkeys, addressLimit, clock } = deps;

  /** The user of a login that waits for its second step. */
  async function waiting(challenge: string, call: Call): Promise<UserRecord> {
    const begun = await challenges.find(store, 'login', challenge);
    const user = begun && (await store.users.get(begun.userId));
    if (user) return user;
    // Counts on the address alone: the answer tells nothing about any account.
    addressLimit.consume(call.ip, GUESSED);
    throw new AppError('SIGN_IN_EXPIRED');
  }

  return {
    async startPasskey(challenge, call) {
      const { id } = await waiting(challenge, call);
      return store.transaction(async (nouns) => {
        const begun = await challenges.find(nouns, 'login', challenge);
        const user = await nouns.users.get(id);
        if (!begun || !user) throw new AppError('SIGN_IN_EXPIRED');
        return passkeys.begin(nouns, user, `login ${begun.id}`, call);
      });
    },

    async finish({ challenge, code = '', passkey }, call) {
      const user = await waiting(challenge, call);
      const use = async (nouns: Nouns, current: UserRecord, own: ChallengeRecord) =>
        passkey
          ? passkeys.use(nouns, current, `login ${own.id}`, passkey, call)
          : secondFactors.useCode(current, code, clock());
      return attempts(
        {
          userId: user.id,
          username: user.username,
          async accept(nouns, current, cleared) {
            // Of parallel calls, one removes the challenge.
            const own = await challenges.find(nouns, 'login', challenge);
            if (!own) throw new AppError('SIGN_IN_EXPIRED');
            const used: UsedFactor | undefined = await use(nouns, current, own);
            if (!used) return undefined;
            await nouns.challenges.remove(own.id);
            const change = { ...cleared, secondFactor: used.secondFactor };
            return openSession(nouns, deps, current, change, call, auditedUse(used));
          },
          action: 'session.loginRefused',
          refusal: () => new AppError('LOGIN_REFUSED', passkey ? NOT_ACCEPTED : WRONG),
          gone: () => new AppError('SIGN_IN_EXPIRED'),
        },
        call,
      );
    },
  };
}
