import { readFileSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { PlatformError } from './errors.ts';

/** Reads a file the settings name; relative ones lie in the service's own folder. */
export function readNamed(folder: string, file: string, what: string): Buffer {
  if (file === '') throw new PlatformError('tls', `The ${what} is missing: upload it in the settings.`);
  try {
    return readFileSync(isAbsolute(file) ? file : join(folder, file));
  } catch {
    // Only the last part of the name: messages do not tell how the disk is arranged.
    throw new PlatformError('tls', `The ${what} ${basename(file)} can't be read by this service.`);
  }
}
