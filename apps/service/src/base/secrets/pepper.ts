import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { secretFile } from './secret-file.ts';

const WITHOUT = 'remove it: API keys stop working then, and the audit trail can no longer be verified';

const NAME = 'api-keys.pepper';

export const pepperFile = (folder: string) => join(folder, NAME);

/**
 * The secret that keys the hashes of API keys and the seals of the audit trail: the given one, which several
 * instances share, or a file.
 */
export function pepperIn(folder: string, text?: string): () => Buffer {
  if (text === undefined) return secretFile(folder, NAME, WITHOUT);
  const pepper = createHash('sha256').update(text).digest();
  return () => pepper;
}

/** The key of second factors, derived from the same secret, so that all instances on one database have it. */
export function factorKeyOf(pepper: () => Buffer): () => Buffer {
  let key: Buffer | undefined;
  return () => (key ??= createHmac('sha256', pepper()).update('\0second factor').digest());
}

/** The key of the audit trail's seals, derived from the same secret; no API key can have the same hash. */
export function trailSecretIn(folder: string, text?: string): () => Buffer {
  const pepper = pepperIn(folder, text);
  let secret: Buffer | undefined;
  return () => (secret ??= createHmac('sha256', pepper()).update('\0audit trail').digest());
}
