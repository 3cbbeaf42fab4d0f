import { oneOf, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** A step of a user that another call finishes once, within minutes: a login, or the set-up of a second factor. */
export interface ChallengeRecord extends Stored {
  kind: 'login' | 'totp' | 'provider' | 'providerTest' | 'providerProof';
  /** SHA-256 of what the client shows to finish it. */
  secretHash: string;
  userId: string;
  /** Sealed: what the last step needs. */
  data: string;
  expiresAt: string;
}

export const challenges = noun<ChallengeRecord>({
  name: 'challenges',
  fields: {
    kind: oneOf('login', 'totp', 'provider', 'providerTest', 'providerProof'),
    secretHash: text,
    userId: text,
    data: text,
    expiresAt: text,
  },
  unique: ['secretHash'],
  indexes: ['userId'],
});
