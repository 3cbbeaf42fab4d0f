import { join } from 'node:path';
import { LOCAL_CERTIFICATES_ROOT } from '@kaptain/contract';
import type { Access } from '../access.ts';
import { addressOf, under } from '../address.ts';
import { readNamed } from '../certificate-files.ts';
import { PlatformError } from '../errors.ts';
import type { PlatformSettings } from '../platform.ts';

type Host = NonNullable<PlatformSettings['hosts']['CERT']>;

/** Local certificates have the file names of the platform's export. */
function certificates(host: Host, folder: string) {
  const root = host.qlikLocalCertificatesRoot || LOCAL_CERTIFICATES_ROOT;
  const files = host.useQlikLocalCertificates
    ? { ca: join(root, 'root.pem'), cert: join(root, 'client.pem'), key: join(root, 'client_key.pem') }
    : { ca: host.caFile, cert: host.certFile, key: host.keyFile };
  return {
    ca: readNamed(folder, files.ca, 'root certificate file'),
    cert: readNamed(folder, files.cert, 'certificate file'),
    key: readNamed(folder, files.key, 'key file'),
  };
}

/**
 * Connects to the engine (4747) and the repository (4242) by client certificate, as the user in X-Qlik-User.
 * https://help.qlik.com/en-US/sense-developer/ "Connecting to the Engine API", "Connecting using certificates"
 */
export function certAccess(host: Host, { settings }: PlatformSettings, folder: string): Access {
  const { userId, userDirectory } = settings;
  if (userId === '' || userDirectory === '')
    throw new PlatformError('login', 'The platform user and its directory are missing in the settings.');
  const { isSecure } = host;
  const engine = addressOf(isSecure ? 'wss' : 'ws', host.hostname, '4747');
  const repository = host.qrsHostname || engine.hostname;
  const user = `UserDirectory=${encodeURIComponent(userDirectory)}; UserId=${encodeURIComponent(userId)}`;
  return {
    engine: under(engine, host.prefix, ''),
    rest: under(addressOf(isSecure ? 'https' : 'http', repository, '4242'), host.prefix, 'qrs'),
    headers: () => ({ 'X-Qlik-User': user }),
    tls: isSecure ? certificates(host, folder) : {},
    user: { userId, userDirectory },
  };
}
