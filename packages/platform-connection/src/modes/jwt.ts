import type { Access } from '../access.ts';
import { addressOf, under } from '../address.ts';
import { readNamed } from '../certificate-files.ts';
import { PlatformError } from '../errors.ts';
import { signToken } from '../jwt-token.ts';
import type { PlatformSettings } from '../platform.ts';

type Host = NonNullable<PlatformSettings['hosts']['JWT']>;

/**
 * Connects through the virtual proxy of this prefix, with a token whose claims have the names set in the proxy.
 * https://help.qlik.com/en-US/sense-admin/ "JWT authentication"
 */
export function jwtAccess(
  host: Host,
  { settings }: PlatformSettings,
  folder: string,
  clock: () => number,
): Access {
  const { userId, userDirectory } = settings;
  if (userId === '' || userDirectory === '')
    throw new PlatformError('login', 'The platform user and its directory are missing in the settings.');
  const key = readNamed(folder, host.keyFile, 'JWT key file');
  const claims = {
    [host.userIdAttr || 'userId']: userId,
    [host.userDirectoryAttr || 'userDirectory']: userDirectory,
  };
  const { isSecure } = host;
  const engine = addressOf(isSecure ? 'wss' : 'ws', host.hostname);
  const repository = addressOf(isSecure ? 'https' : 'http', host.qrsHostname || engine.host);
  return {
    engine: under(engine, host.prefix, ''),
    rest: under(repository, host.prefix, 'qrs'),
    headers: () => ({ Authorization: `Bearer ${signToken(claims, key, clock())}` }),
    tls: {},
    user: { userId, userDirectory },
  };
}
