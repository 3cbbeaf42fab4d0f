import type { NewPasskey, PasskeyCreation, PasskeyProof, PasskeyRequest } from '@kaptain/contract';
import { type Nouns, newId, type PasskeyRecord, type UserRecord } from '@kaptain/store';
import { audit } from '../../base/audit/audit.ts';
import type { Call } from '../../base/call/call.ts';
import { AppError } from '../../base/errors/app-error.ts';
import type { Challenges } from '../sessions/challenges.ts';
import {
  challengeIn,
  creationOptions,
  requestOptions,
  verifyNewPasskey,
  verifyPasskey,
} from './passkey-ceremony.ts';
import { type RelyingParty, relyingPartyOf } from './relying-party.ts';
import { factorOf, type UsedFactor } from './second-factor.ts';

/** The purpose of a challenge: the login or the session that began it. */
type PasskeyStep = `login ${string}` | `proof ${string}` | `new ${string}`;

const NO_NAME = 'Passkeys need a host name: open the service under its name instead of an IP address.';
const NONE = 'This account has no passkey.';
const elsewhere = (hosts: string) =>
  `Your passkeys were made for ${hosts} and work only there. Open the service under that name, or use a code.`;

function partyOf(call: Call): RelyingParty {
  const party = relyingPartyOf(call);
  if (!party) throw new AppError('CONFLICT', NO_NAME);
  return party;
}

export interface Passkeys {
  beginNew(nouns: Nouns, user: UserRecord, step: PasskeyStep, call: Call): Promise<PasskeyCreation>;
  /** The new passkey, not stored yet; undefined when it is not valid for this step. Uses the challenge up. */
  finishNew(
    nouns: Nouns,
    user: UserRecord,
    step: PasskeyStep,
    passkey: { name: string; passkey: NewPasskey },
    call: Call,
  ): Promise<PasskeyRecord | undefined>;
  begin(nouns: Nouns, user: UserRecord, step: PasskeyStep, call: Call): Promise<PasskeyRequest>;
  /** Undefined when the signature is not valid for this step. Uses the challenge up. */
  use(
    nouns: Nouns,
    user: UserRecord,
    step: PasskeyStep,
    given: PasskeyProof,
    call: Call,
  ): Promise<UsedFactor | undefined>;
}

export function createPasskeys(challenges: Challenges, clock: () => number): Passkeys {
  /** A step has one challenge: a further one replaces it, and leaves those of other logins. */
  async function challengeFor(nouns: Nouns, { id: userId }: UserRecord, step: PasskeyStep): Promise<string> {
    for (const { id, kind, data } of await nouns.challenges.findBy('userId', userId))
      if (kind === 'passkey' && data === step) await nouns.challenges.remove(id);
    return challenges.create(nouns, 'passkey', userId, step);
  }

  /** The challenge that was answered, if it is one of this user and step; it is used up, also by a wrong answer. */
  async function useChallenge(
    nouns: Nouns,
    user: UserRecord,
    step: PasskeyStep,
    given: NewPasskey | PasskeyProof,
  ) {
    const challenge = challengeIn(given);
    const begun = challenge === undefined ? undefined : await challenges.find(nouns, 'passkey', challenge);
    if (begun?.userId !== user.id || begun.data !== step) return undefined;
    return (await nouns.challenges.remove(begun.id)) ? challenge : undefined;
  }

  /** A counter that does not grow belongs to a copy of the key, or to the key after the use of a copy. */
  const auditCopy = (nouns: Nouns, { id, username }: UserRecord, { name }: PasskeyRecord, call: Call) =>
    audit(nouns, call, clock(), {
      action: 'account.passkeyCopied',
      actor: { id, username },
      target: { noun: 'user', id, name: username },
      result: 'refused',
      after: { name },
    });

  const now = () => new Date(clock()).toISOString();

  return {
    async beginNew(nouns, user, step, call) {
      const party = partyOf(call);
      const passkeys = factorOf(user).passkeys.filter(({ host }) => host === party.host);
      return creationOptions(user, passkeys, party, await challengeFor(nouns, user, step));
    },

    async finishNew(nouns, user, step, { name, passkey }, call) {
      const challenge = await useChallenge(nouns, user, step, passkey);
      const party = relyingPartyOf(call);
      if (challenge === undefined || !party) return undefined;
      const made = await verifyNewPasskey(passkey, challenge, party);
      const isKnown = factorOf(user).passkeys.some(({ credentialId }) => credentialId === made?.credentialId);
      return made && !isKnown
        ? { id: newId(), name, ...made, createdAt: now(), lastUsedAt: null }
        : undefined;
    },

    async begin(nouns, user, step, call) {
      const party = partyOf(call);
      const { passkeys } = factorOf(user);
      const usable = passkeys.filter(({ host }) => host === party.host);
      if (usable.length === 0) {
        const hosts = [...new Set(passkeys.map(({ host }) => host))].join(', ');
        throw new AppError('CONFLICT', hosts === '' ? NONE : elsewhere(hosts));
      }
      return requestOptions(usable, party, await challengeFor(nouns, user, step));
    },

    async use(nouns, user, step, given, call) {
      const challenge = await useChallenge(nouns, user, step, given);
      const party = relyingPartyOf(call);
      const factor = factorOf(user);
      const used = factor.passkeys.find(
        ({ credentialId, host }) => credentialId === given.id && host === party?.host,
      );
      if (!used || !party || challenge === undefined) return undefined;
      const counter = await verifyPasskey(given, used, challenge, party);
      if (counter === undefined) return undefined;
      if ((counter > 0 || used.counter > 0) && counter <= used.counter) {
        await auditCopy(nouns, user, used, call);
        return undefined;
      }
      const passkeys = factor.passkeys.map((passkey) =>
        passkey.id === used.id ? { ...passkey, counter, lastUsedAt: now() } : passkey,
      );
      return { secondFactor: { ...factor, passkeys }, kind: 'passkey', name: used.name };
    },
  };
}
