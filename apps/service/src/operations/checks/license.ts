import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { LicenseSummary, SettingsUpdate } from '@kaptain/contract';
import { isBlock } from '../../base/config/settings/value-at.ts';

/**
 * A signed license is `<payload>.<signature>`, both base64url, in any number of lines and optionally between
 * BEGIN and END lines. The payload is JSON with `holder` and `expiresAt`; the signature is Ed25519 over its bytes.
 */
const SIGNED = /^([A-Za-z0-9_-]{8,})\.([A-Za-z0-9_-]{86})$/;

const summary = (kind: LicenseSummary['kind'], message: string): LicenseSummary => ({
  kind,
  holder: null,
  expiresAt: null,
  isExpired: false,
  message,
});

function payloadOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return isBlock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A key as PEM, or as the base64 text inside of it. */
function keyFrom(text: string): KeyObject | undefined {
  try {
    return text.includes('-----')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function signedSummary(payload: Record<string, unknown>, now: number): LicenseSummary {
  const { holder, expiresAt } = payload;
  const end = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN;
  const isExpired = end <= now;
  const day = Number.isNaN(end) ? null : new Date(end).toISOString();
  const who = typeof holder === 'string' && holder !== '' ? holder : null;
  const until =
    day === null ? 'without an end' : `${isExpired ? 'expired on' : 'valid until'} ${day.slice(0, 10)}`;
  return {
    kind: 'signed',
    holder: who,
    expiresAt: day,
    isExpired,
    message: `Licensed to ${who ?? 'an unnamed holder'}, ${until}.`,
  };
}

/** The summary of the license in the settings. */
export const licenseOf =
  ({ licenseKey, clock }: { licenseKey: string; clock: () => number }) =>
  ({ license }: SettingsUpdate): LicenseSummary =>
    licenseSummary(license.LICENSE_TEXT, licenseKey, clock());

/** A signed license is verified and summarised; any other text is accepted unread. */
export function licenseSummary(text: string, publicKey: string, now: number): LicenseSummary {
  const bare = text.replace(/-----[^-]*-----/g, '').replace(/\s/g, '');
  if (bare === '') return summary('none', 'No license text has been entered.');
  const [, body = '', signature = ''] = SIGNED.exec(bare) ?? [];
  const payload = payloadOf(body);
  const key = keyFrom(publicKey);
  if (!payload || !key) return summary('text', 'The license text is stored as it is.');
  const isGenuine = verify(null, Buffer.from(body, 'base64url'), key, Buffer.from(signature, 'base64url'));
  return isGenuine
    ? signedSummary(payload, now)
    : summary('invalid', 'The signature of this license does not fit its text.');
}
