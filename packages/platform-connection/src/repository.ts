import { randomBytes } from 'node:crypto';
import type { Access } from './access.ts';
import type { PlatformApp, Timeouts } from './platform.ts';
import { restJson } from './rest.ts';

/**
 * A call of the repository. It wants the same 16 characters in a header and in the query, as a guard against
 * cross-site requests: https://help.qlik.com/en-US/sense-developer/ Repository Service API, "Using Xrfkey header"
 */
async function ask<T>(access: Access, timeouts: Timeouts, path: string): Promise<T> {
  const xrfkey = randomBytes(8).toString('hex');
  const url = new URL(`${access.rest?.href}/${path}`);
  url.searchParams.set('xrfkey', xrfkey);
  const headers = { ...access.headers(), 'X-Qlik-Xrfkey': xrfkey };
  return restJson<T>({ url, headers, tls: access.tls }, timeouts);
}

/** Answers when the repository is there and knows the user. */
export const repositoryVersion = async (access: Access, timeouts: Timeouts): Promise<string> =>
  (await ask<{ buildVersion?: string }>(access, timeouts, 'about')).buildVersion ?? '';

export const repositoryApps = async (access: Access, timeouts: Timeouts): Promise<PlatformApp[]> =>
  (await ask<PlatformApp[]>(access, timeouts, 'app')).map(({ id, name }) => ({ id, name }));
