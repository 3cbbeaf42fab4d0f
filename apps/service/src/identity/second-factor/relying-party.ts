import { isIP } from 'node:net';
import type { Call } from '../../base/call/call.ts';

/** The party for which a browser makes and uses a passkey: the service under the host name of the request. */
export interface RelyingParty {
  /** The host name, to which passkeys are bound. */
  host: string;
  /** The origins of pages that may use them. */
  origins: string[];
}

/**
 * Compares without the scheme, like the check of origins: behind a proxy that terminates TLS we see http where the
 * browser has https. Browsers offer passkeys on pages of https, and of http on this computer alone. Undefined under an IP
 * address, for which there are no passkeys.
 */
export function relyingPartyOf({ origin }: Pick<Call, 'origin'>): RelyingParty | undefined {
  const { host, hostname } = new URL(origin);
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return undefined;
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost');
  const schemes = isLocal ? ['https', 'http'] : ['https'];
  return { host: hostname, origins: schemes.map((scheme) => new URL(`${scheme}://${host}`).origin) };
}
