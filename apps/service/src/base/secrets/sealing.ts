import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

const VERSION = 'sealed:1';

/** Identifies a key without revealing it. */
const keyId = (key: Buffer): string => createHash('sha256').update(key).digest('hex').slice(0, 8);

/** Encrypts a secret. The context is authenticated: moved to another field or user, the secret can't be decrypted there. */
export function seal(key: Buffer, context: string, value: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([iv, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return [VERSION, keyId(key), body.toString('base64url')].join(':');
}

/** Undefined when it was sealed with another key or for another context. */
export function unseal(key: Buffer, context: string, sealed: string): string | undefined {
  const [word, version, id, body = ''] = sealed.split(':');
  if (`${word}:${version}` !== VERSION || id !== keyId(key)) return undefined;
  const bytes = Buffer.from(body, 'base64url');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(context));
    decipher.setAuthTag(bytes.subarray(-16));
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
