import type { Access } from '@kaptain/contract';
import type { Caller, ExtensionCaller, SessionCaller } from './caller.ts';

export type { Caller, ExtensionCaller, SessionCaller } from './caller.ts';

/** The request of a handler, beside its validated input. */
export interface Call<A extends Access = Access> {
  requestId: string;
  ip: string;
  userAgent: string;
  /** The host name in the request's URL, without the port. */
  hostname: string;
  /** The scheme, host and port by which the caller reached the service, e.g. `https://kaptain.example.com:8443`. */
  origin: string;
  header(name: string): string | undefined;
  /** Aborts when the client disconnects before the answer is complete. */
  gone(): AbortSignal;
  caller: A extends 'everyone'
    ? undefined
    : A extends 'dataApi' | 'loggedInOrExtension' | 'loggedInOrKey'
      ? Caller
      : A extends 'extension'
        ? ExtensionCaller
        : SessionCaller;
}

/** A call of an authenticated caller, by session or by API key. */
export type KnownCall = Omit<Call, 'caller'> & { caller: Caller };
