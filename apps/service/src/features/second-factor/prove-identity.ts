import type { Nouns, UserRecord } from '@kaptain/store';
import { AppError } from '../../http/app-error.ts';
import type { Call } from '../../http/call.ts';
import { audit } from '../../security/audit.ts';
import { hasSecondFactor } from '../../security/second-factor.ts';
import type { SecondFactorDeps } from './second-factor-deps.ts';

interface Given {
  password?: string | undefined;
  code?: string | undefined;
}

const WRONG = {
  password: 'The password is not right, or the account is temporarily locked.',
  code: 'This code is not right or was used already, or the account is temporarily locked.',
};

/** Renews the proof of identity of a session: with the second factor, or with the password when there is none. */
export function identityProof({ store, passwords, attempts, secondFactors, clock }: SecondFactorDeps) {
  async function prove(nouns: Nouns, call: Call<'loggedIn'>, user: UserRecord, change: Partial<UserRecord>) {
    const { sessionId } = call.caller;
    if (!(await nouns.sessions.get(sessionId))) throw new AppError('NOT_LOGGED_IN');
    await nouns.users.patch(user.id, change);
    await nouns.sessions.patch(sessionId, { provenAt: new Date(clock()).toISOString() });
    const target = { noun: 'user', id: user.id, name: user.username };
    await audit(nouns, call, clock(), { action: 'session.proof', target });
    return true;
  }

  return async ({ password, code }: Given, call: Call<'loggedIn'>): Promise<void> => {
    const { userId, username } = call.caller;
    const user = await store.users.get(userId);
    const isByCode = user !== undefined && hasSecondFactor(user);
    if ((isByCode ? code : password) === undefined)
      throw new AppError('BAD_INPUT', isByCode ? 'Please input your code!' : 'Please input your Password!');
    const verify = (hash: string | undefined) => passwords.verify(hash, password ?? '');
    await attempts(
      {
        userId,
        username,
        ...(!isByCode && { verify }),
        async accept(nouns, current, cleared) {
          // A second factor that was set up meanwhile: the password is no longer enough.
          if (!hasSecondFactor(current)) return isByCode ? undefined : prove(nouns, call, current, cleared);
          const used = code === undefined ? undefined : secondFactors.useCode(current, code, clock());
          return used && prove(nouns, call, current, { ...cleared, secondFactor: used.secondFactor });
        },
        action: 'session.proof',
        refusal: () => new AppError('PROOF_REFUSED', isByCode ? WRONG.code : WRONG.password),
        gone: () => new AppError('NOT_LOGGED_IN'),
      },
      call,
    );
  };
}
