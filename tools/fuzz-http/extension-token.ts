import { createHash, randomBytes } from 'node:crypto';
import { ALLOWED_ORIGIN } from './canaries.ts';
import type { World } from './world.ts';

/** Gives the extension a token for the kapsules of the deleter, as its sign-in window does. */
export async function signExtensionIn(world: World): Promise<void> {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const { body: issued } = await world.call('POST', '/api/extension/codes', {
    token: world.token('deleter'),
    body: { origin: ALLOWED_ORIGIN, kapsuleIds: world.ids.kapsule, challenge },
  });
  const { body, text } = await world.call('POST', '/api/extension/tokens', {
    origin: ALLOWED_ORIGIN,
    body: { code: issued['code'], verifier },
  });
  if (typeof body['token'] !== 'string') throw new Error(`The extension got no token: ${text}`);
  world.giveToken('extension', body['token']);
}
