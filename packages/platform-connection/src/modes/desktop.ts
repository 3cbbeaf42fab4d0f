import type { Access } from '../access.ts';
import { addressOf } from '../address.ts';

/** Fixed values; the user is the one logged in on this computer. */
export function desktopAccess(hostname = 'localhost:9076'): Access {
  return { engine: addressOf('ws', hostname), rest: null, headers: () => ({}), tls: {}, user: null };
}
