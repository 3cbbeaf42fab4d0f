import type { ExtensionToken } from '@kaptain/contract';
import { CLOUD_MESSAGE, SIGN_IN_MESSAGE, SIGN_IN_PATH } from '@kaptain/contract/extension-window';
import { texts } from '../texts/texts.ts';
import { cloudAccessToken } from './cloud-token.ts';
import { ServiceError } from './service-client.ts';
import { askInWindow, base64Url, randomText } from './service-window.ts';

const challengeOf = async (verifier: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** Posts to the token exchange; the answer is a token. */
export async function requestToken(
  serviceUrl: string,
  path: '' | '/renew' | '/session' | '/cloud',
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

/** A token, and how the page gets the next one before it ends. */
export interface SignedIn {
  token: ExtensionToken;
  renew: (token: string) => Promise<ExtensionToken>;
  /** The platform has proven who the person is: the proof can be shown again also after the token has ended. */
  isProven: boolean;
}

/** Opens the service's window, in which the person signs in with an account or at Qlik Cloud. */
export async function signIn(serviceUrl: string, kapsuleId: string): Promise<SignedIn> {
  const verifier = randomText();
  const message = await askInWindow(
    new URL(SIGN_IN_PATH, serviceUrl),
    [SIGN_IN_MESSAGE, CLOUD_MESSAGE],
    async () => ({ kapsules: kapsuleId, challenge: await challengeOf(verifier) }),
  );
  if (message['type'] === CLOUD_MESSAGE) {
    const accessToken = await cloudAccessToken(serviceUrl, message, verifier);
    const body = { accessToken, kapsuleIds: [kapsuleId] };
    const renew = () => requestToken(serviceUrl, '/cloud', { body });
    return { token: await renew(), renew, isProven: true };
  }
  const { code } = message;
  return {
    token: await requestToken(serviceUrl, '', { body: { code, verifier } }),
    renew: (token) => requestToken(serviceUrl, '/renew', { token }),
    isProven: false,
  };
}
