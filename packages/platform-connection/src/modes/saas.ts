import type { Access } from '../access.ts';
import { addressOf, under } from '../address.ts';
import { PlatformError } from '../errors.ts';
import type { PlatformSettings } from '../platform.ts';

type Host = NonNullable<PlatformSettings['hosts']['SAAS']>;

/** Connects to the tenant by API key: https://qlik.dev/authenticate/api-key/ */
export function saasAccess({ hostname, apiKey }: Host): Access {
  if (!apiKey) throw new PlatformError('login', 'The API key of the tenant is missing in the settings.');
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new PlatformError('login', 'The API key of the tenant contains invalid characters.');
  return {
    engine: addressOf('wss', hostname),
    rest: under(addressOf('https', hostname), '', 'api/v1'),
    headers: () => ({ Authorization: `Bearer ${apiKey}` }),
    tls: {},
    user: null,
  };
}
