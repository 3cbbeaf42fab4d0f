import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bits,
  element,
  integer,
  isTrue,
  objectId,
  octets,
  sequence,
  set,
  tagged,
  time,
  utf8,
} from './der.ts';

export interface Issued {
  name: string;
  /** PEM. */
  certificate: string;
  key: string;
  privateKey: KeyObject;
}

interface CertificateOptions {
  name: string;
  /** The issuer; self-signed when absent. */
  by?: Issued;
  isAuthority?: boolean;
  /** The DNS names and IPv4 addresses of a server. */
  hosts?: readonly string[];
  validTo?: Date;
}

const ids = {
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  commonName: '2.5.4.3',
  basicConstraints: '2.5.29.19',
  subjectAltName: '2.5.29.17',
};
const DAY = 24 * 3_600_000;

const nameOf = (text: string) => sequence(set(sequence(objectId(ids.commonName), utf8(text))));
const pem = (label: string, der: Buffer) =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END ${label}-----\n`;

const hostName = (host: string) =>
  isIPv4(host)
    ? element(0x87, Buffer.from(host.split('.').map(Number)))
    : element(0x82, Buffer.from(host, 'ascii'));

const extensions = (isAuthority: boolean, hosts: readonly string[]) => [
  sequence(objectId(ids.basicConstraints), isTrue, octets(isAuthority ? sequence(isTrue) : sequence())),
  ...(hosts.length > 0
    ? [sequence(objectId(ids.subjectAltName), octets(sequence(...hosts.map(hostName))))]
    : []),
];

/** Issues an X.509 certificate with a new key, for tests only (RFC 5280, version 3, ECDSA on P-256). */
export function issue({ name, by, isAuthority = false, hosts = [], validTo }: CertificateOptions): Issued {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = sequence(objectId(ids.ecdsaWithSha256));
  const end = validTo ?? new Date(Date.now() + 30 * DAY);
  const content = sequence(
    tagged(0, integer(Buffer.from([2]))),
    integer(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    nameOf(by?.name ?? name),
    sequence(time(new Date(Math.min(Date.now(), end.getTime()) - DAY)), time(end)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tagged(3, sequence(...extensions(isAuthority, hosts))),
  );
  const signature = sign('sha256', content, by?.privateKey ?? privateKey);
  return {
    name,
    certificate: pem('CERTIFICATE', sequence(content, algorithm, bits(signature))),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    privateKey,
  };
}
