import type { ExtensionToken } from '@kaptain/contract';
import { SIGN_IN_MESSAGE, SIGN_IN_PATH } from '@kaptain/contract/extension-window';
import { texts } from '../texts/texts.ts';
import { ServiceError } from './service-client.ts';

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const challengeOf = async (verifier: string): Promise<string> =>
  base64Url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))));

/** How often the page looks whether the person has closed the window. */
const CLOSED_EVERY_MS = 500;

/** The code that the window posts: only from this window, from the service, with the state of this request. */
function codeFrom(popup: Window, serviceOrigin: string, state: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const end = () => {
      removeEventListener('message', listen);
      clearInterval(timer);
    };
    const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== popup || origin !== serviceOrigin) return;
      const { type, code, state: given } = (data ?? {}) as Record<string, unknown>;
      if (type !== SIGN_IN_MESSAGE || given !== state || typeof code !== 'string') return;
      end();
      resolve(code);
    };
    const timer = setInterval(() => {
      if (!popup.closed) return;
      end();
      reject(new ServiceError(0, texts().signInUnfinished));
    }, CLOSED_EVERY_MS);
    addEventListener('message', listen);
  });
}

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

/** Opens the service's window, in which the person signs in. Called by a click, or the browser blocks the window. */
export async function signIn(serviceUrl: string, kapsuleId: string): Promise<ExtensionToken> {
  if (!isSecureContext) throw new ServiceError(0, texts().needsHttps);
  // Opened before anything is awaited, while the click still counts.
  const popup = window.open('about:blank', '_blank', 'popup,width=440,height=520');
  if (!popup) throw new ServiceError(0, texts().windowBlocked);
  try {
    const [verifier, state] = [randomText(), randomText()];
    const address = new URL(SIGN_IN_PATH, serviceUrl);
    address.search = new URLSearchParams({
      origin: location.origin,
      kapsules: kapsuleId,
      challenge: await challengeOf(verifier),
      state,
    }).toString();
    popup.location.replace(address.href);
    const code = await codeFrom(popup, address.origin, state);
    return await requestToken(serviceUrl, '', { body: { code, verifier } });
  } finally {
    popup.close();
  }
}
