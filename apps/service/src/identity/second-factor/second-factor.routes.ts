import type { api } from '@kaptain/contract';
import { AppError } from '../../base/errors/app-error.ts';
import type { Handlers } from '../../http/server/handlers.ts';
import { mustSetUpFactor } from './identity.ts';
import { ownPasskeys } from './own-passkeys.ts';
import { proveIdentity } from './prove-identity.ts';
import { factorOf } from './second-factor.ts';
import type { SecondFactorDeps } from './second-factor-deps.ts';
import { setUpTotp } from './set-up-totp.ts';

const success = { status: 'success' };

export function secondFactorRoutes(deps: SecondFactorDeps): Handlers<typeof api.secondFactor> {
  const { store, settings } = deps;
  const totp = setUpTotp(deps);
  const own = ownPasskeys(deps);
  const proof = proveIdentity(deps);
  return {
    async get(_, { caller }) {
      const user = await store.users.get(caller.userId);
      if (!user) throw new AppError('NOT_LOGGED_IN');
      const factor = factorOf(user);
      return {
        totpSince: factor.totp?.since ?? null,
        passkeys: factor.passkeys.map(({ id, name, host, createdAt, lastUsedAt }) => ({
          _id: id,
          name,
          host,
          createdAt,
          lastUsedAt,
        })),
        recoveryCodes: factor.recoveryHashes.length,
        isRequired: mustSetUpFactor({ role: user.role, hasSecondFactor: false }, settings),
      };
    },
    startTotp: (_, call) => totp.start(call),
    confirmTotp: async ({ body }, call) => ({ recoveryCodes: await totp.confirm(body, call) }),
    async removeTotp(_, call) {
      await totp.remove(call);
      return success;
    },
    startPasskey: (_, call) => own.start(call),
    confirmPasskey: async ({ body }, call) => ({ recoveryCodes: await own.confirm(body, call) }),
    async renamePasskey({ params, body }, call) {
      await own.rename(params.id, body.name, call);
      return success;
    },
    async removePasskey({ params }, call) {
      await own.remove(params.id, call);
      return success;
    },
    createRecoveryCodes: async (_, call) => ({ recoveryCodes: await totp.newRecoveryCodes(call) }),
    async prove({ body }, call) {
      await proof.prove(body, call);
      return success;
    },
    startPasskeyProof: (_, call) => proof.startPasskey(call),
  };
}
