import { createPrivateKey, X509Certificate } from 'node:crypto';
import { duplexPair } from 'node:stream';
import { connect, createSecureContext, type SecureContextOptions, TLSSocket } from 'node:tls';
import type { SettingsUpdate } from '@kaptain/contract';
import type { CertificateFiles } from './certificate-files.ts';
import type { ServerFile, ServerFiles } from './generation-file.ts';
import { Refusal } from './refusal.ts';

export type TlsOptions = Pick<SecureContextOptions, 'pfx' | 'passphrase' | 'cert' | 'key' | 'minVersion'>;

const labels: Record<ServerFile, string> = {
  'server.pfx': 'Server PFX',
  'server.pem': 'Server PEM',
  'server_key.pem': 'Server Key PEM',
};

/** The TLS options of the server; undefined for plain HTTP. */
export function tlsOptions(
  { settings }: SettingsUpdate,
  files: ServerFiles,
  certificates: CertificateFiles,
): TlsOptions | undefined {
  if (!settings.https) return undefined;
  const file = (name: ServerFile): Buffer => {
    const bytes = certificates.read(files[name] ?? '');
    if (!bytes) throw new Refusal(name, `${labels[name]} is required!`);
    return bytes;
  };
  const minVersion = 'TLSv1.2';
  if (settings.usePfxCertificate)
    return { pfx: file('server.pfx'), passphrase: settings.pfxPassword ?? '', minVersion };
  return { cert: file('server.pem'), key: file('server_key.pem'), minVersion };
}

function pfxRefusal(error: unknown): Refusal {
  const text = String(error);
  if (text.includes('mac verify failure'))
    return new Refusal('settings.pfxPassword', 'The PFX password does not fit the PFX file.');
  if (text.includes('Unsupported PKCS12'))
    return new Refusal(
      'server.pfx',
      'The PFX file uses an outdated encryption (RC2). Export it again with AES256-SHA256, or use PEM files.',
    );
  if (text.includes('private key'))
    return new Refusal('server.pfx', 'The PFX file holds no private key: export it together with its key.');
  return new Refusal('server.pfx', 'The PFX file can not be read.');
}

function contextOf(tls: TlsOptions) {
  if (!tls.pfx) {
    try {
      const certificate = new X509Certificate(tls.cert as Buffer);
      if (!certificate.checkPrivateKey(createPrivateKey(tls.key as Buffer)))
        throw new Refusal('server_key.pem', 'The server key does not belong to the server certificate.');
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal('server.pem', 'The server certificate or its key can not be read.');
    }
  }
  try {
    return createSecureContext(tls);
  } catch (error) {
    throw tls.pfx ? pfxRefusal(error) : new Refusal('server.pem', 'The server certificate can not be used.');
  }
}

/** Makes a TLS connection to itself: a PFX does not show its certificate otherwise. */
export async function certificateOf(tls: TlsOptions): Promise<X509Certificate | undefined> {
  const secureContext = contextOf(tls);
  const [near, far] = duplexPair();
  const server = new TLSSocket(near, { isServer: true, secureContext });
  const client = connect({ socket: far, rejectUnauthorized: false });
  try {
    return await new Promise((resolve, reject) => {
      for (const side of [server, client]) side.once('error', reject);
      client.once('secureConnect', () => resolve(client.getPeerX509Certificate()));
    });
  } catch {
    throw new Refusal(tls.pfx ? 'server.pfx' : 'server.pem', 'The certificate does not work for HTTPS.');
  } finally {
    client.destroy();
    server.destroy();
  }
}

/** Checks that a browser could connect with these files today. */
export async function tryTls(tls: TlsOptions, now: number): Promise<void> {
  const certificate = await certificateOf(tls);
  const field = tls.pfx ? 'server.pfx' : 'server.pem';
  const day = (text: string) => new Date(text).toISOString().slice(0, 10);
  if (!certificate) throw new Refusal(field, 'The certificate does not work for HTTPS.');
  if (Date.parse(certificate.validTo) <= now)
    throw new Refusal(field, `The server certificate expired on ${day(certificate.validTo)}.`);
  if (Date.parse(certificate.validFrom) > now)
    throw new Refusal(field, `The server certificate is not valid before ${day(certificate.validFrom)}.`);
}
