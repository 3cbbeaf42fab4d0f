import { createPrivateKey, sign } from 'node:crypto';
import { PlatformError } from './errors.ts';

/** Tolerates clock skew of some minutes; a leaked token expires soon. */
const LIFE_SECONDS = 300;

const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RFC 7519 with RS256, the algorithm that the platform's proxy expects. */
export function signToken(claims: Record<string, string>, keyPem: Buffer, now: number): string {
  const iat = Math.floor(now / 1000);
  const unsigned = `${encoded({ alg: 'RS256', typ: 'JWT' })}.${encoded({ ...claims, iat, exp: iat + LIFE_SECONDS })}`;
  try {
    const key = createPrivateKey(keyPem);
    if (key.asymmetricKeyType !== 'rsa') throw new TypeError('not RSA');
    return `${unsigned}.${sign('RSA-SHA256', Buffer.from(unsigned), key).toString('base64url')}`;
  } catch {
    throw new PlatformError('tls', 'The JWT key file is not a private RSA key in PEM format.');
  }
}
