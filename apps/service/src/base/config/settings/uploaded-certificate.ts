import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { ServerFile } from './generation-file.ts';

const parses = (read: () => unknown): boolean => {
  try {
    read();
    return true;
  } catch {
    return false;
  }
};

const isCertificate = (bytes: Buffer) => parses(() => new X509Certificate(bytes));
const isKey = (bytes: Buffer) => parses(() => createPrivateKey(bytes));
const isLockedKey = (bytes: Buffer) =>
  /-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED/.test(bytes.toString('latin1'));

/** Recognises a PFX by the error of opening it without its password. */
function isPfx(bytes: Buffer): boolean {
  try {
    createSecureContext({ pfx: bytes });
    return true;
  } catch (error) {
    return /mac verify failure|PKCS12|PFX data/.test(String(error));
  }
}

const LOCKED = 'This key is protected by a passphrase. Please upload it without one.';

/** Why an uploaded file is not of the expected kind; undefined when it is. */
export function uploadProblem(kind: ServerFile | 'platform', bytes: Buffer): string | undefined {
  if (kind === 'server.pfx') return isPfx(bytes) ? undefined : 'This is not a PFX file.';
  if (isLockedKey(bytes)) return LOCKED;
  switch (kind) {
    case 'server.pem':
      return isCertificate(bytes) ? undefined : 'This is not a certificate in PEM format.';
    case 'server_key.pem':
      return isKey(bytes) ? undefined : 'This is not a private key in PEM format.';
    case 'platform':
      return isCertificate(bytes) || isKey(bytes) || parses(() => createPublicKey(bytes))
        ? undefined
        : 'This is neither a certificate nor a key in PEM format.';
  }
}
