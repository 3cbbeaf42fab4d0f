import { text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** A back-channel logout token that was used, so that it works once on all instances. */
export interface UsedLogoutTokenRecord extends Stored {
  /** SHA-256 of issuer and `jti`. */
  tokenKey: string;
  /** From this time on no instance accepts the token anyway. */
  expiresAt: string;
}

export const usedLogoutTokens = noun<UsedLogoutTokenRecord>({
  name: 'usedLogoutTokens',
  fields: {
    tokenKey: text,
    expiresAt: text,
  },
  unique: ['tokenKey'],
  indexes: [],
});
