import { hash } from 'node:crypto';
import type { PlatformPerson } from '../base/call/caller.ts';
import { hashToken, newToken } from '../base/secrets/tokens.ts';
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

/** With the token of a person whom the platform has proven, as the exchange of a proof issues it. */
export async function asProven(app: TestApp, person: PlatformPerson, kapsuleIds: string[]): Promise<Caller> {
  const token = `kxt_${newToken()}`;
  const { directory, userId } = person;
  const name = `${directory}\\${userId}`;
  const account = (await app.store.users.all()).find(({ qlikId }) => qlikId === name);
  await app.store.extensionGrants.insert({
    kind: 'token',
    secretHash: hashToken(token),
    userId: account?.id ?? `platform:${JSON.stringify([directory, userId])}`,
    sessionId: null,
    platformUser: name,
    platformPerson: person,
    kapsuleIds,
    origin: PAGE,
    challenge: null,
    expiresAt: new Date(app.now() + 600_000).toISOString(),
  });
  return callerOf(app.http, token);
}
