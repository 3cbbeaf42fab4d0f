import { audit } from '../../base/audit/audit.ts';
import { AppError } from '../../base/errors/app-error.ts';
import { endSessions } from '../sessions/revoke.ts';
import { factorLeft, type OwnCall, presentUser, targetOf } from './change-factor.ts';
import { factorOf, hasSecondFactor } from './second-factor.ts';
import type { SecondFactorDeps } from './second-factor-deps.ts';
import { matchingStep, newTotpSecret } from './totp.ts';

const WRONG = 'This code is not right. Check that the clock of your phone is right, and try the next code.';
const EXPIRED = 'The set-up took too long. Please begin again.';
const NONE = 'There is no second factor yet.';

/** The second factor of the caller’s own account: an authenticator app and recovery codes. */
export function setUpTotp({ store, settings, challenges, secondFactors, clock }: SecondFactorDeps) {
  return {
    async start(call: OwnCall): Promise<{ setup: string; secret: string }> {
      const { userId } = call.caller;
      const secret = newTotpSecret();
      const sealed = secondFactors.sealSecret(userId, secret);
      const setup = await store.transaction(async (nouns) => {
        await presentUser(nouns, call);
        return challenges.create(nouns, 'totp', userId, sealed);
      });
      return { setup, secret };
    },

    confirm: (given: { setup: string; code: string }, call: OwnCall): Promise<string[]> =>
      store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        const challenge = await challenges.find(nouns, 'totp', given.setup);
        const isOwn = challenge?.userId === user.id;
        const secret = isOwn ? secondFactors.unsealSecret(user.id, challenge.data) : undefined;
        if (!challenge || secret === undefined) throw new AppError('PROOF_REFUSED', EXPIRED);
        const step = matchingStep(secret, given.code.replace(/\s/g, ''), clock(), 0);
        if (step === undefined) throw new AppError('PROOF_REFUSED', WRONG);
        // Sessions that began without this factor end, and what waits for a proof with the old one.
        const endedSessions = await endSessions(nouns, user.id, call.caller.sessionId);
        const since = new Date(clock()).toISOString();
        const { codes, recoveryHashes } = secondFactors.newRecoveryCodes(user.id);
        const totp = { sealedSecret: challenge.data, lastStep: step, since };
        await nouns.users.patch(user.id, { secondFactor: { ...factorOf(user), totp, recoveryHashes } });
        await audit(nouns, call, clock(), {
          action: 'account.secondFactorOn',
          target: targetOf(user),
          after: { secondFactor: 'authenticator app', endedSessions },
        });
        return codes;
      }),

    remove: (call: OwnCall): Promise<void> =>
      store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        const factor = factorOf(user);
        if (factor.totp === null) throw new AppError('CONFLICT', NONE);
        const secondFactor = factorLeft(user, { ...factor, totp: null }, settings);
        await nouns.users.patch(user.id, { secondFactor });
        await audit(nouns, call, clock(), {
          action: 'account.secondFactorOff',
          target: targetOf(user),
          before: { secondFactor: 'authenticator app' },
        });
      }),

    newRecoveryCodes: (call: OwnCall): Promise<string[]> =>
      store.transaction(async (nouns) => {
        const user = await presentUser(nouns, call);
        if (!hasSecondFactor(user)) throw new AppError('CONFLICT', NONE);
        const { codes, recoveryHashes } = secondFactors.newRecoveryCodes(user.id);
        await nouns.users.patch(user.id, { secondFactor: { ...factorOf(user), recoveryHashes } });
        await audit(nouns, call, clock(), { action: 'account.recoveryCodes', target: targetOf(user) });
        return codes;
      }),
  };
}
