import { readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { PlatformError } from './errors.ts';

/** Reads a file named in the settings; relative paths are resolved against the service's folder. */
export function readNamed(folder: string, file: string, what: string): Buffer {
  if (file === '') throw new PlatformError('tls', `The ${what} is missing: upload it in the settings.`);
  try {
    return readFileSync(isAbsolute(file) ? file : join(folder, file));
  } catch {
    // Only the base name, because messages must not reveal paths of the host.
    throw new PlatformError('tls', `The ${what} ${basename(file)} can't be read by this service.`);
  }
}
