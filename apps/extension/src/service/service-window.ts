import { texts } from '../texts/texts.ts';
import { ServiceError } from './service-client.ts';

export const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCodePoint(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');

export const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

/** How often the page looks whether the window is closed … */
const CLOSED_EVERY_MS = 500;
/** … and how many looks must find it closed: its last message may arrive after that, on a busy computer. */
const CLOSED_LOOKS = 3;

interface Awaited {
  popup: Window;
  serviceOrigin: string;
  types: readonly string[];
  state: string;
}

/** The message that the window posts: only from this window, from the service, with the state of this request. */
function messageFrom({ popup, serviceOrigin, types, state }: Awaited): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    const end = () => {
      removeEventListener('message', listen);
      clearInterval(timer);
    };
    const listen = ({ source, origin, data }: MessageEvent<unknown>) => {
      if (source !== popup || origin !== serviceOrigin) return;
      const message = (data ?? {}) as Record<string, unknown>;
      if (!types.includes(String(message['type'])) || message['state'] !== state) return;
      end();
      resolve(message);
    };
    let looks = 0;
    const timer = setInterval(() => {
      if (popup.closed) looks += 1;
      if (looks < CLOSED_LOOKS) return;
      end();
      reject(new ServiceError(0, texts().signInUnfinished));
    }, CLOSED_EVERY_MS);
    addEventListener('message', listen);
  });
}

/** Opens a window of the service and waits for its message. Called by a click, or the browser blocks the window. */
export async function askInWindow(
  address: URL,
  types: readonly string[],
  query: () => Promise<Record<string, string>>,
): Promise<Record<string, unknown>> {
  if (!isSecureContext) throw new ServiceError(0, texts().needsHttps);
  // Opened before anything is awaited, while the click still counts.
  const popup = window.open('about:blank', '_blank', 'popup,width=440,height=520');
  if (!popup) throw new ServiceError(0, texts().windowBlocked);
  try {
    const state = randomText();
    const params = { origin: location.origin, state, ...(await query()) };
    popup.location.replace(`${address.href}?${new URLSearchParams(params)}`);
    return await messageFrom({ popup, serviceOrigin: address.origin, types, state });
  } finally {
    popup.close();
  }
}
