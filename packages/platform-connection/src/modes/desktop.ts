import type { Access } from '../access.ts';
import { addressOf } from '../address.ts';

/** Spec 3: fixed values. Whoever is logged in on this computer is the user. */
export function desktopAccess(hostname = 'localhost:9076'): Access {
  return { engine: addressOf('ws', hostname), rest: null, headers: () => ({}), tls: {}, user: null };
}
