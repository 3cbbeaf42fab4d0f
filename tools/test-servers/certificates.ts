import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The paths of a server's certificate files. */
export interface Certificate {
  certificate: string;
  key: string;
  /** Certificate and key in one file. */
  both: string;
  /** The certificate of its authority. */
  authority: string;
}

/** Creates a certificate with openssl, for names like `DNS:db.example` or `IP:10.0.0.1`, signed by a new authority. */
export function makeCertificate(folder: string, name: string, subjects: string): Certificate {
  const file = (ending: string) => join(folder, `${name}${ending}`);
  const openssl = (...args: string[]) =>
    execFileSync('openssl', args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const [authority, authorityKey] = [file('-ca.pem'), file('-ca.key')];
  const [certificate, key, both] = [file('.pem'), file('.key'), file('-both.pem')];
  const fresh = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'];
  openssl(
    'req',
    '-x509',
    ...fresh,
    '-keyout',
    authorityKey,
    '-out',
    authority,
    '-subj',
    '/CN=Authority of a test',
  );
  const signed = ['-CA', authority, '-CAkey', authorityKey, '-addext', `subjectAltName=${subjects}`];
  const noAuthority = ['-addext', 'basicConstraints=critical,CA:FALSE'];
  openssl(
    'req',
    '-x509',
    ...fresh,
    ...signed,
    ...noAuthority,
    '-keyout',
    key,
    '-out',
    certificate,
    '-subj',
    '/CN=db',
  );
  writeFileSync(both, Buffer.concat([readFileSync(key), readFileSync(certificate)]));
  chmodSync(key, 0o600);
  return { certificate, key, both, authority };
}
