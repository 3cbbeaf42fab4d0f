import { randomBytes } from 'node:crypto';
import type { FactorMethod } from '@kaptain/contract';
import type { SecondFactor, UserRecord } from '@kaptain/store';
import { hmac } from '../../base/secrets/hmac.ts';
import { seal, unseal } from '../../base/secrets/sealing.ts';
import { base32, matchingStep } from './totp.ts';

const RECOVERY_CODES = 10;

export const noFactor: Required<SecondFactor> = { totp: null, recoveryHashes: [], passkeys: [] };

export const factorOf = ({ secondFactor }: Pick<UserRecord, 'secondFactor'>): Required<SecondFactor> => ({
  ...noFactor,
  ...secondFactor,
});

export function hasSecondFactor(user: Pick<UserRecord, 'secondFactor'>): boolean {
  const { totp, passkeys } = factorOf(user);
  return totp !== null || passkeys.length > 0;
}

/** The ways in which a user proves who they are; one with a second factor uses that. */
export function proofMethods(user: Pick<UserRecord, 'secondFactor'>): FactorMethod[] {
  if (!hasSecondFactor(user)) return ['password'];
  const { totp, passkeys, recoveryHashes } = factorOf(user);
  const methods: FactorMethod[] = passkeys.length > 0 ? ['passkey'] : [];
  if (totp) methods.push('code');
  else if (recoveryHashes.length > 0) methods.push('recoveryCode');
  return methods;
}

/** Codes are typed with blanks, hyphens and in lower case. */
const tidy = (code: string): string => code.replace(/[\s-]/g, '').toUpperCase();

export interface UsedFactor {
  /** The factor after this use, so that the same code or signature can't be used again. */
  secondFactor: SecondFactor;
  kind: 'authenticator' | 'recovery code' | 'passkey';
  /** The name of the passkey. */
  name?: string;
}

/** A used factor, as the audit trail names it. */
export const auditedUse = ({ kind, name, secondFactor }: UsedFactor) => ({
  secondFactor: kind,
  ...(name !== undefined && { name }),
  ...(kind === 'recovery code' && { left: secondFactor.recoveryHashes.length }),
});

export interface SecondFactors {
  sealSecret(userId: string, secret: string): string;
  unsealSecret(userId: string, sealed: string): string | undefined;
  newRecoveryCodes(userId: string): { codes: string[]; recoveryHashes: string[] };
  /** Undefined when the code is wrong or used up. Call it in the unit of work that stores the result. */
  useCode(user: UserRecord, code: string, now: number): UsedFactor | undefined;
}

/** Its secrets are encrypted and its recovery codes hashed with a key that is not in the database. */
export function createSecondFactors(key: () => Buffer): SecondFactors {
  const contextOf = (userId: string) => `totp of user ${userId}`;
  const hashOf = (userId: string, code: string) => hmac(key(), `recovery code ${userId} ${code}`);
  const unsealSecret: SecondFactors['unsealSecret'] = (userId, sealed) =>
    unseal(key(), contextOf(userId), sealed);

  return {
    sealSecret: (userId, secret) => seal(key(), contextOf(userId), secret),
    unsealSecret,
    newRecoveryCodes(userId) {
      // 50 bits each: guesses are limited to five, and the hashes are useless without the key.
      const plain = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(7)).slice(0, 10));
      return {
        codes: plain.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`),
        recoveryHashes: plain.map((code) => hashOf(userId, code)),
      };
    },
    useCode(user, code, now) {
      const factor = factorOf(user);
      const tidied = tidy(code);
      const secret = factor.totp && unsealSecret(user.id, factor.totp.sealedSecret);
      const step = factor.totp && secret && matchingStep(secret, tidied, now, factor.totp.lastStep);
      if (factor.totp && step)
        return {
          secondFactor: { ...factor, totp: { ...factor.totp, lastStep: step } },
          kind: 'authenticator',
        };
      const hash = hashOf(user.id, tidied);
      if (!hasSecondFactor(user) || !factor.recoveryHashes.includes(hash)) return undefined;
      const recoveryHashes = factor.recoveryHashes.filter((other) => other !== hash);
      return { secondFactor: { ...factor, recoveryHashes }, kind: 'recovery code' };
    },
  };
}
