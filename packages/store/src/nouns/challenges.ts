import { oneOf, optional, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** A step of a user that another call finishes once, within minutes: a login, or a step of a second factor. */
export interface ChallengeRecord extends Stored {
  kind: 'login' | 'totp' | 'passkey' | 'provider' | 'providerTest' | 'providerProof';
  /** SHA-256 of what the client shows to finish it. */
  secretHash: string;
  userId: string;
  /** The data of the last step; secrets in it are sealed. */
  data: string;
  /** Of a sign-in at the provider, its session there; absent when it names none. */
  sid?: string;
  expiresAt: string;
}

export const challenges = noun<ChallengeRecord>({
  name: 'challenges',
  fields: {
    kind: oneOf('login', 'totp', 'passkey', 'provider', 'providerTest', 'providerProof'),
    secretHash: text,
    userId: text,
    data: text,
    sid: optional(text),
    expiresAt: text,
  },
  unique: ['secretHash'],
  indexes: ['userId', 'sid'],
});
