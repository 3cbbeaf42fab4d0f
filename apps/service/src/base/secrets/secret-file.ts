import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ConfigError } from '../errors/config-error.ts';

const BYTES = 32;

/** Creates the file with its whole content or not at all, even when two processes create it at the same time. */
function create(folder: string, file: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(draft, randomBytes(BYTES), { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** A secret of this installation, stored outside the database and created on first use. */
export function secretFile(folder: string, name: string, otherwise: string): () => Buffer {
  const file = join(folder, name);
  let secret: Buffer | undefined;
  return () => {
    if (secret) return secret;
    if (!read(file)) create(folder, file);
    const found = read(file);
    if (found?.length !== BYTES)
      throw new ConfigError(`The file ${file} is damaged: restore it from a backup, or ${otherwise}.`);
    secret = found;
    return found;
  };
}
