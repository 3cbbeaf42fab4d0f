import { nullable, text } from './checks.ts';
import { noun, type Stored } from './noun.ts';

/** The data of a session that the provider of the company has opened. */
export interface ProviderSessionRecord extends Stored {
  sessionId: string;
  userId: string;
  /** The session at the provider, when it names one. */
  sid: string | null;
  /** Sealed: the tokens with which the sign-in is checked and ended there. */
  sealedTokens: string;
  checkedAt: string;
}

export const providerSessions = noun<ProviderSessionRecord>({
  name: 'providerSessions',
  fields: { sessionId: text, userId: text, sid: nullable(text), sealedTokens: text, checkedAt: text },
  unique: ['sessionId'],
  indexes: ['userId', 'sid'],
});
