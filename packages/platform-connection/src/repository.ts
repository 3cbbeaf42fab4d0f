import { randomBytes } from 'node:crypto';
import type { Access } from './access.ts';
import type { PlatformApp, Timeouts } from './platform.ts';
import { restJson } from './rest.ts';

/**
 * Calls the repository. It requires the same 16 characters in a header and in the query, as a protection against
 * cross-site requests: https://help.qlik.com/en-US/sense-developer/ Repository Service API, "Using Xrfkey header"
 */
async function call<T>(access: Access, timeouts: Timeouts, path: string): Promise<T> {
  const xrfkey = randomBytes(8).toString('hex');
  const url = new URL(`${access.rest?.href}/${path}`);
  url.searchParams.set('xrfkey', xrfkey);
  const headers = { ...access.headers(), 'X-Qlik-Xrfkey': xrfkey };
  return restJson<T>({ url, headers, tls: access.tls }, timeouts);
}

/** Succeeds when the repository is reachable and accepts the user. */
export const repositoryVersion = async (access: Access, timeouts: Timeouts): Promise<string> =>
  (await call<{ buildVersion?: string }>(access, timeouts, 'about')).buildVersion ?? '';

export const repositoryApps = async (access: Access, timeouts: Timeouts): Promise<PlatformApp[]> =>
  (await call<PlatformApp[]>(access, timeouts, 'app')).map(({ id, name }) => ({ id, name }));
