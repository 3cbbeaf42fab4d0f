import type { ExtensionToken } from '@kaptain/contract';
import { SIGN_IN_MESSAGE, SIGN_IN_PATH } from '@kaptain/contract/extension-window';
import { texts } from '../texts/texts.ts';
import { ServiceError } from './service-client.ts';
import { askInWindow, base64Url, randomText } from './service-window.ts';

const challengeOf = async (verifier: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** Posts to the token exchange; the answer is a token. */
export async function requestToken(
  serviceUrl: string,
  path: '' | '/renew' | '/session',
  { body, token, hasCookies = false }: { body?: object; token?: string; hasCookies?: boolean },
): Promise<ExtensionToken> {
  const response = await fetch(`${serviceUrl}/api/extension/tokens${path}`, {
    method: 'POST',
    credentials: hasCookies ? 'include' : 'omit',
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json().catch(() => ({}))) as ExtensionToken & { message?: string };
  if (!response.ok) throw new ServiceError(response.status, answer.message ?? texts().signInFailed);
  return answer;
}

/** Opens the service's window, in which the person signs in. */
export async function signIn(serviceUrl: string, kapsuleId: string): Promise<ExtensionToken> {
  const verifier = randomText();
  const { code } = await askInWindow(new URL(SIGN_IN_PATH, serviceUrl), SIGN_IN_MESSAGE, async () => ({
    kapsules: kapsuleId,
    challenge: await challengeOf(verifier),
  }));
  return requestToken(serviceUrl, '', { body: { code, verifier } });
}
