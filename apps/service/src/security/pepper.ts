import { createHash } from 'node:crypto';
import { secretFile } from './secret-file.ts';

/** The secret under which API keys are hashed: the one that is given, which several instances share, or a file. */
export function pepperIn(folder: string, given?: string): () => Buffer {
  if (given === undefined) return secretFile(folder, 'api-keys.pepper', 'API keys stop working');
  const pepper = createHash('sha256').update(given).digest();
  return () => pepper;
}
