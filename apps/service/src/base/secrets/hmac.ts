import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** A key object is made once per secret: making it takes five times as long as an HMAC. */
const keys = new WeakMap<Buffer, KeyObject>();

/** HMAC-SHA-256 of a text, as text. */
export function hmac(secret: Buffer, text: string): string {
  let key = keys.get(secret);
  if (!key) {
    key = createSecretKey(secret);
    keys.set(secret, key);
  }
  return createHmac('sha256', key).update(text).digest('base64url');
}
