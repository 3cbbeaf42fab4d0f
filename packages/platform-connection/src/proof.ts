import { randomBytes } from 'node:crypto';
import type { PlatformUser } from '@kaptain/contract';
import { addressOf, under } from './address.ts';
import type { PlatformOptions } from './connect.ts';
import { PlatformError } from './errors.ts';
import { certAccess } from './modes/cert.ts';
import { type PlatformSettings, standardTimeouts } from './platform.ts';
import { restJson } from './rest.ts';

/** A session of a person, as their browser's cookie has it. */
export interface PersonSession {
  /** The prefix of the virtual proxy; '' for the one without. */
  prefix: string;
  id: string;
}

/** A person waits for the answer. */
const PROOF_MS = 5_000;
/** The most bytes of an answer about one person. */
const PROOF_BYTES = 256 * 1024;

/** Undefined when the platform does not know what was shown; other failures are thrown. */
async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof PlatformError && [401, 403, 404].includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

/**
 * The person of a session, asked at the API of the proxy with the client certificate; it listens one port above the
 * repository (4243): https://help.qlik.com/en-US/sense-developer/ Proxy Service API, "Session: Get"
 */
export async function personBySession(
  settings: PlatformSettings,
  { folder, timeouts }: PlatformOptions,
  { prefix, id }: PersonSession,
): Promise<PlatformUser | undefined> {
  const { CERT } = settings.hosts;
  if (settings.settings.qlikHost !== 'CERT' || !CERT) return undefined;
  const { rest, tls } = certAccess(CERT, settings, folder);
  if (!rest) return undefined;
  const proxy = new URL(rest);
  proxy.port = String(Number(rest.port || '4242') + 1);
  const url = under(
    proxy,
    '',
    ['qps', ...prefix.split('/'), 'session', id].filter(Boolean).map(encodeURIComponent).join('/'),
  );
  const xrfkey = randomBytes(8).toString('hex');
  url.searchParams.set('xrfkey', xrfkey);
  const call = { url, headers: { 'X-Qlik-Xrfkey': xrfkey }, tls, maxBytes: PROOF_BYTES };
  const found = await unlessRefused(
    restJson<{ UserDirectory?: string; UserId?: string; SessionId?: string } | null>(call, {
      ...standardTimeouts,
      requestMs: PROOF_MS,
      ...timeouts,
    }),
  );
  if (!found?.UserId || !found.UserDirectory || found.SessionId !== id) return undefined;
  return { userId: found.UserId, userDirectory: found.UserDirectory };
}

/** The person of an access token, asked at the tenant of the settings: https://qlik.dev/apis/rest/users/ "me" */
export async function personByToken(
  settings: PlatformSettings,
  { timeouts }: PlatformOptions,
  token: string,
): Promise<PlatformUser | undefined> {
  const { SAAS } = settings.hosts;
  if (settings.settings.qlikHost !== 'SAAS' || !SAAS) return undefined;
  const url = under(addressOf('https', SAAS.hostname), '', 'api/v1/users/me');
  const call = { url, headers: { Authorization: `Bearer ${token}` }, maxBytes: PROOF_BYTES };
  const found = await unlessRefused(
    restJson<{ id?: string; subject?: string; status?: string }>(call, {
      ...standardTimeouts,
      requestMs: PROOF_MS,
      ...timeouts,
    }),
  );
  const userId = found?.subject || found?.id;
  const isActive = found?.status === undefined || found.status === 'active';
  return userId && isActive ? { userId, userDirectory: '' } : undefined;
}
