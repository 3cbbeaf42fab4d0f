import type { NewPasskey, PasskeyCreation } from '@kaptain/contract';
import type { PasskeyRecord, UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { endSessions } from '../sessions/revoke.ts';
import { factorLeft, type OwnCall, presentUser, targetOf } from './change-factor.ts';
import { factorOf, hasSecondFactor } from './second-factor.ts';
import type { SecondFactorDeps } from './second-factor-deps.ts';

const MOST = 20;
const TOO_MANY = `An account has at most ${MOST} passkeys: remove one first.`;
const INVALID = 'The passkey was not accepted. Perhaps this took too long: please try again.';

/** One of the caller’s own passkeys, by its id in the list; those of others do not exist for them. */
function ownPasskey(user: UserRecord, id: string): PasskeyRecord {
  const found = factorOf(user).passkeys.find((passkey) => passkey.id === id);
  if (!found) throw new AppError('NOT_FOUND');
  return found;
}

/** The passkeys of the caller’s own account. */
export function ownPasskeys({ store, settings, passkeys, secondFactors, clock }: SecondFactorDeps) {
  const checkRoom = (user: UserRecord) => {
    if (factorOf(user).passkeys.length >= MOST) throw new AppError('CONFLICT', TOO_MANY);
  };

  return {
    start: (call: OwnCall): Promise<PasskeyCreation> =>
      store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        checkRoom(user);
        return passkeys.beginNew(nouns, user, `new ${call.caller.sessionId}`, call);
      }),

    async confirm(given: { name: string; passkey: NewPasskey }, call: OwnCall): Promise<string[]> {
      const { sessionId } = call.caller;
      const codes = await store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        checkRoom(user);
        const made = await passkeys.finishNew(nouns, user, `new ${sessionId}`, given, call);
        // The refusal is thrown after this unit of work, which keeps the challenge used up.
        if (!made) return undefined;
        const factor = factorOf(user);
        // With the first factor, sessions that began without one end.
        const isFirst = !hasSecondFactor(user);
        const endedSessions = isFirst ? await endSessions(nouns, user.id, sessionId) : 0;
        const fresh = isFirst ? secondFactors.newRecoveryCodes(user.id) : undefined;
        const recoveryHashes = fresh?.recoveryHashes ?? factor.recoveryHashes;
        const secondFactor = { ...factor, recoveryHashes, passkeys: [...factor.passkeys, made] };
        await nouns.users.patch(user.id, { secondFactor });
        await audit(nouns, call, clock(), {
          action: 'account.secondFactorOn',
          target: targetOf(user),
          after: { secondFactor: 'passkey', name: made.name, host: made.host, endedSessions },
        });
        return fresh?.codes ?? [];
      });
      if (!codes) throw new AppError('PROOF_REFUSED', INVALID);
      return codes;
    },

    rename: (id: string, name: string, call: OwnCall): Promise<void> =>
      store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        const factor = factorOf(user);
        const { name: before } = ownPasskey(user, id);
        const renamed = factor.passkeys.map((passkey) =>
          passkey.id === id ? { ...passkey, name } : passkey,
        );
        await nouns.users.patch(user.id, { secondFactor: { ...factor, passkeys: renamed } });
        await audit(nouns, call, clock(), {
          action: 'account.passkeyRename',
          target: targetOf(user),
          before: { name: before },
          after: { name },
        });
      }),

    remove: (id: string, call: OwnCall): Promise<void> =>
      store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        const factor = factorOf(user);
        const { name, host } = ownPasskey(user, id);
        const others = factor.passkeys.filter((passkey) => passkey.id !== id);
        const secondFactor = factorLeft(user, { ...factor, passkeys: others }, settings);
        await nouns.users.patch(user.id, { secondFactor });
        await audit(nouns, call, clock(), {
          action: 'account.secondFactorOff',
          target: targetOf(user),
          before: { secondFactor: 'passkey', name, host },
        });
      }),
  };
}
