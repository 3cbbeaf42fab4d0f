import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** One of the certificate files made for tests; they are for localhost, and PFX files have the password `secret`. */
export const testCertificate = (name: string): Buffer =>
  readFileSync(join(import.meta.dirname, 'certificates', name));
