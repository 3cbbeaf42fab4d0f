import { createHash, createHmac } from 'node:crypto';
import { join } from 'node:path';
import { secretFile } from './secret-file.ts';

const WITHOUT = 'remove it: API keys stop working then, and the audit trail can no longer be verified';

const NAME = 'api-keys.pepper';

export const pepperFile = (folder: string) => join(folder, NAME);

/** The secret under which API keys are hashed and the audit trail is sealed: the one that is given, which several instances share, or a file. */
export function pepperIn(folder: string, given?: string): () => Buffer {
  if (given === undefined) return secretFile(folder, NAME, WITHOUT);
  const pepper = createHash('sha256').update(given).digest();
  return () => pepper;
}

/** What the audit trail is sealed with; made of the same secret, and of a text that no API key can be. */
export function trailSecretIn(folder: string, given?: string): () => Buffer {
  const pepper = pepperIn(folder, given);
  let secret: Buffer | undefined;
  return () => (secret ??= createHmac('sha256', pepper()).update('\0audit trail').digest());
}
