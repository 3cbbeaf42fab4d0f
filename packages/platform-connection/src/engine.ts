import enigma from 'enigma.js';
import schema from 'enigma.js/schemas/12.20.0.json' with { type: 'json' };
import { type MessageEvent, WebSocket } from 'ws';
import type { Access } from './access.ts';
import type { GlobalApi } from './engine-api.ts';
import { explain, MAX_ANSWER_BYTES, PlatformError } from './errors.ts';
import type { Timeouts } from './platform.ts';
import { withTimeout } from './retry.ts';

/** A websocket to the engine, opened for one operation. */
export interface EngineSession {
  host: string;
  global: GlobalApi;
  /** Awaits an answer of the engine; throws PlatformError on failure, time-out or a closed connection. */
  ask: <T>(answer: Promise<T>, ms?: number) => Promise<T>;
  close: () => void;
}

/** Notifications by which the proxy or the engine refuses a session, with their messages. */
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

/** Catches invalid JSON from the engine: enigma.js parses without try/catch, which would crash the process. */
function guardMessages(socket: WebSocket, onInvalidMessage: (error: unknown) => void): WebSocket {
  Object.defineProperty(socket, 'onmessage', {
    set(handler: (event: MessageEvent) => void) {
      socket.addEventListener('message', (event) => {
        try {
          handler(event);
        } catch (error) {
          onInvalidMessage(error);
          socket.terminate();
        }
      });
    },
  });
  return socket;
}

const CLOSE_TIMEOUT_MS = 1000;

const appPath = (appId: string | undefined) => `app/${encodeURIComponent(appId ?? 'engineData')}`;

/** Opens a session for one app, or, without an app id, for the engine itself. */
export async function openSession(
  access: Access,
  timeouts: Timeouts,
  appId?: string,
): Promise<EngineSession> {
  const { connectMs, requestMs } = timeouts;
  const url = new URL(access.engine);
  url.pathname = [url.pathname.replace(/\/+$/, ''), appPath(appId)].join('/');
  const { host } = url;
  const { promise: broken, reject: fail } = Promise.withResolvers<never>();
  broken.catch(() => undefined);
  let socket: WebSocket | undefined;
  const session = enigma.create({
    schema,
    url: url.href,
    protocol: { delta: false },
    createSocket: (address) => {
      const bounds = { handshakeTimeout: connectMs, maxPayload: MAX_ANSWER_BYTES };
      const options = { headers: access.headers(), ...bounds, ...access.tls };
      socket = guardMessages(new WebSocket(address, options), () =>
        fail(
          new PlatformError('other', `${host} answered with something that is not the engine's protocol.`),
        ),
      );
      socket.on('error', (error) => fail(explain(error, host, access.tls.cert !== undefined)));
      return socket as unknown as globalThis.WebSocket;
    },
  });
  session.on('notification:*', (name: string, parameters: { mustAuthenticate?: boolean } = {}) => {
    const refusal = refusals[name];
    if (!refusal || (name === 'OnAuthenticationInformation' && !parameters.mustAuthenticate)) return;
    const isLogin = name === 'OnAuthenticationInformation' || name.startsWith('OnLicense');
    fail(new PlatformError(isLogin ? 'login' : 'other', `${host} ${refusal}.`, { isPassing: !isLogin }));
  });
  session.on('closed', () =>
    fail(new PlatformError('other', `${host} closed the connection.`, { isPassing: true })),
  );
  const ask = async <T>(answer: Promise<T>, ms = requestMs): Promise<T> => {
    // The race reports the first failure; the other must not count as an unhandled rejection.
    answer.catch(() => undefined);
    try {
      return await withTimeout(ms, host, Promise.race([broken, answer]));
    } catch (error) {
      throw engineError(error, host);
    }
  };
  const close = () => {
    // A closing handshake frees the engine's session; without a response the socket is destroyed.
    socket?.close();
    setTimeout(() => socket?.terminate(), CLOSE_TIMEOUT_MS).unref();
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

/** Maps the Engine API's JSON-RPC error codes to PlatformErrors. */
function engineError(error: unknown, host: string): PlatformError {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'number') return explain(error, host);
  if (code === ACCESS_DENIED)
    return new PlatformError('login', `${host} does not let this user do that (access denied).`);
  if (NO_SUCH_APP.has(code)) return new PlatformError('other', `${host} has no such app for this user.`);
  // enigma.js uses negative codes when the socket is closed.
  if (code < 0) return new PlatformError('other', `${host} closed the connection.`, { isPassing: true });
  return new PlatformError('other', `The engine refused: ${String(message).slice(0, 200)} (${code}).`);
}
