import type { ProviderSettings } from '@kaptain/contract';
import { seal, unseal } from '../../base/secrets/sealing.ts';

/** The tokens of a sign-in with the provider that the service stores. */
export interface KeptTokens {
  idToken: string;
  refreshToken?: string | undefined;
  /** The client that got them: they are shown to no other provider. */
  client: string;
}

/** Identifies the client of a provider; other settings may change without ending sign-ins. */
export const clientKeyOf = ({ issuer, clientId }: ProviderSettings): string =>
  JSON.stringify([issuer, clientId]);

const contextOf = (sessionId: string) => `tokens of session ${sessionId}`;

export const sealTokens = (key: Buffer, sessionId: string, tokens: KeptTokens): string =>
  seal(key, contextOf(sessionId), JSON.stringify(tokens));

/** Undefined when they were sealed with another key. */
export function openTokens(key: Buffer, sessionId: string, sealed: string): KeptTokens | undefined {
  const text = unseal(key, contextOf(sessionId), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as KeptTokens);
}
