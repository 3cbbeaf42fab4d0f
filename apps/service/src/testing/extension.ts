import { hash } from 'node:crypto';
import { newToken } from '../security/tokens.ts';
import { type Caller, callerOf } from './caller.ts';
import type { TestApp } from './test-app.ts';

/** The page of the platform in which the extension runs. */
export const PAGE = 'https://hub.example.com';

export const newProof = () => {
  const verifier = newToken();
  return { verifier, challenge: hash('sha256', verifier, 'base64url') };
};

/** The one-time code that the sign-in window of this person hands to the page. */
export async function codeFor(person: Caller, kapsuleIds: string[], challenge: string): Promise<string> {
  const { body } = await person.post('/api/extension/codes', { origin: PAGE, kapsuleIds, challenge });
  return body.code;
}

export const exchange = ({ asNobody }: TestApp, code: string, verifier: string, origin = PAGE) =>
  asNobody.post('/api/extension/tokens', { code, verifier }, { origin });

/** The extension on the page of this person, with a token for these kapsules. */
export async function asExtension(app: TestApp, person: Caller, kapsuleIds: string[]): Promise<Caller> {
  const { verifier, challenge } = newProof();
  const { body } = await exchange(app, await codeFor(person, kapsuleIds, challenge), verifier);
  return callerOf(app.http, String(body['token']));
}
