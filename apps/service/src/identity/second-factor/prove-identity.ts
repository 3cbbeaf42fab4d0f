import type { PasskeyProof, PasskeyRequest } from '@kaptain/contract';
import type { Nouns, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { type OwnCall, presentUser, targetOf } from './change-factor.ts';
import { auditedUse, hasSecondFactor, type UsedFactor } from './second-factor.ts';
import type { SecondFactorDeps } from './second-factor-deps.ts';

interface Proof {
  password?: string | undefined;
  code?: string | undefined;
  passkey?: PasskeyProof | undefined;
}

const WRONG = {
  password: 'The password is not right, or the account is temporarily locked.',
  code: 'This code is not right or was used already, or the account is temporarily locked.',
  passkey: 'The passkey was not accepted, or the account is temporarily locked.',
};
const MISSING = { password: 'Please input your Password!', code: 'Please input your code!' };

/** Renews the proof of identity of a session: with the second factor, or with the password when there is none. */
export function proveIdentity(deps: SecondFactorDeps) {
  const { store, passwords, attempts, passkeys, secondFactors, clock } = deps;

  async function prove(
    nouns: Nouns,
    call: OwnCall,
    user: UserRecord,
    cleared: Partial<UserRecord>,
    used?: UsedFactor,
  ) {
    const { sessionId } = call.caller;
    if (!(await nouns.sessions.get(sessionId))) throw new AppError('NOT_LOGGED_IN');
    const { secondFactor } = used ?? {};
    await nouns.users.patch(user.id, { ...cleared, ...(secondFactor && { secondFactor }) });
    await nouns.sessions.patch(sessionId, { provenAt: new Date(clock()).toISOString() });
    const after = used && auditedUse(used);
    const entry = { action: 'session.proof', target: targetOf(user) } as const;
    await audit(nouns, call, clock(), { ...entry, ...(after && { after }) });
    return true;
  }

  return {
    startPasskey: (call: OwnCall): Promise<PasskeyRequest> =>
      store.transaction(async (nouns) =>
        passkeys.begin(nouns, await presentUser(nouns, call), `proof ${call.caller.sessionId}`, call),
      ),

    async prove({ password, code, passkey }: Proof, call: OwnCall): Promise<void> {
      const { userId, username, sessionId } = call.caller;
      const user = await store.users.get(userId);
      const needsFactor = user !== undefined && hasSecondFactor(user);
      const kind = needsFactor ? 'code' : 'password';
      const isGiven = needsFactor ? (code ?? passkey) !== undefined : password !== undefined;
      if (!isGiven) throw new AppError('BAD_INPUT', MISSING[kind]);
      const verify = (hash: string | undefined) => passwords.verify(hash, password ?? '');
      const use = async (nouns: Nouns, current: UserRecord): Promise<UsedFactor | undefined> => {
        if (passkey) return passkeys.use(nouns, current, `proof ${sessionId}`, passkey, call);
        return code === undefined ? undefined : secondFactors.useCode(current, code, clock());
      };
      await attempts(
        {
          userId,
          username,
          ...(!needsFactor && { verify }),
          async accept(nouns, current, cleared) {
            // A second factor that was set up meanwhile: the password is no longer enough.
            if (!hasSecondFactor(current))
              return needsFactor ? undefined : prove(nouns, call, current, cleared);
            const used = await use(nouns, current);
            return used && prove(nouns, call, current, cleared, used);
          },
          action: 'session.proof',
          refusal: () => new AppError('PROOF_REFUSED', WRONG[needsFactor && passkey ? 'passkey' : kind]),
          gone: () => new AppError('NOT_LOGGED_IN'),
        },
        call,
      );
    },
  };
}
