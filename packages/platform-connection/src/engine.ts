import enigma from 'enigma.js';
import schema from 'enigma.js/schemas/12.20.0.json' with { type: 'json' };
import { type MessageEvent, WebSocket } from 'ws';
import type { Access } from './access.ts';
import type { GlobalApi } from './engine-api.ts';
import { explain, PlatformError } from './errors.ts';
import type { Timeouts } from './platform.ts';
import { within } from './waiting.ts';

/** One websocket to the engine; it lives as long as one piece of work. */
export interface EngineSession {
  host: string;
  global: GlobalApi;
  /** An answer of the engine, or a PlatformError that says why there is none. */
  ask: <T>(answer: Promise<T>, ms?: number) => Promise<T>;
  close: () => void;
}

/** Notifications by which the proxy or the engine turns somebody away, and how a person reads them. */
const refusals: Record<string, string> = {
  OnAuthenticationInformation: 'asks for a login: the token, key or prefix is not accepted',
  OnLicenseAccessDenied: 'has no license for this user',
  OnLicenseAccessPoolFull: 'has no license left for this user',
  OnMaxParallelSessionsExceeded: 'allows this user no further session',
  OnNoEngineAvailable: 'has no engine available',
  OnNoRepositoryAvailable: 'has no repository available',
  OnNoDataPrepServiceAvailable: 'has no data service available',
  OnSessionTimedOut: 'ended the session',
  OnSessionLoggedOut: 'ended the session',
};

/** An engine that sends no JSON must not take the process down with it: enigma.js parses without a net. */
function guarded(socket: WebSocket, onNonsense: (error: unknown) => void): WebSocket {
  Object.defineProperty(socket, 'onmessage', {
    set(handler: (event: MessageEvent) => void) {
      socket.addEventListener('message', (event) => {
        try {
          handler(event);
        } catch (error) {
          onNonsense(error);
          socket.terminate();
        }
      });
    },
  });
  return socket;
}

const GOODBYE_MS = 1000;

const appPath = (appId: string | undefined) => `app/${encodeURIComponent(appId ?? 'engineData')}`;

/** Opens a session, for one app or (without) for the engine as a whole. */
export async function openSession(
  access: Access,
  timeouts: Timeouts,
  appId?: string,
): Promise<EngineSession> {
  const { connectMs, requestMs } = timeouts;
  const url = new URL(access.engine);
  url.pathname = [url.pathname.replace(/\/+$/, ''), appPath(appId)].join('/');
  const { host } = url;
  const { promise: broken, reject: breakOff } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  let socket: WebSocket | undefined;
  const session = enigma.create({
    schema,
    url: url.href,
    protocol: { delta: false },
    createSocket: (address) => {
      const options = { headers: access.headers(), handshakeTimeout: connectMs, ...access.tls };
      socket = guarded(new WebSocket(address, options), () =>
        breakOff(new PlatformError('other', `${host} answers with something that is no engine.`)),
      );
      socket.on('error', (error) => breakOff(explain(error, host, access.tls.cert !== undefined)));
      return socket as unknown as globalThis.WebSocket;
    },
  });
  session.on('notification:*', (name: string, parameters: { mustAuthenticate?: boolean } = {}) => {
    const refusal = refusals[name];
    if (!refusal || (name === 'OnAuthenticationInformation' && !parameters.mustAuthenticate)) return;
    const isLogin = name === 'OnAuthenticationInformation' || name.startsWith('OnLicense');
    breakOff(new PlatformError(isLogin ? 'login' : 'other', `${host} ${refusal}.`, { isPassing: !isLogin }));
  });
  session.on('closed', () =>
    breakOff(new PlatformError('other', `${host} closed the connection.`, { isPassing: true })),
  );
  const ask = async <T>(answer: Promise<T>, ms = requestMs): Promise<T> => {
    // Whichever fails first wins; the other must not count as unhandled.
    answer.catch(() => undefined);
    try {
      return await within(ms, host, Promise.race([broken, answer]));
    } catch (error) {
      throw engineError(error, host);
    }
  };
  const close = () => {
    // A goodbye frees the engine's session at once; who does not answer it is cut off.
    socket?.close();
    setTimeout(() => socket?.terminate(), GOODBYE_MS).unref();
  };
  try {
    return { host, global: await ask(session.open<GlobalApi>(), connectMs), ask, close };
  } catch (error) {
    close();
    throw error;
  }
}

const ACCESS_DENIED = 5;
const NO_SUCH_APP = new Set([1003, 1008]);

/** What the engine refuses has a number of its own (JSON-RPC error codes of the Engine API). */
function engineError(error: unknown, host: string): PlatformError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'number') return explain(error, host);
  if (code === ACCESS_DENIED)
    return new PlatformError('login', `${host} does not let this user do that (access denied).`);
  if (NO_SUCH_APP.has(code)) return new PlatformError('other', `${host} has no such app for this user.`);
  // Codes below zero are enigma.js's own: the socket is gone.
  if (code < 0) return new PlatformError('other', `${host} closed the connection.`, { isPassing: true });
  return new PlatformError('other', `The engine refused: ${String(message).slice(0, 200)} (${code}).`);
}
