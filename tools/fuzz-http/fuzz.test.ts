import { expect, it } from 'vitest';
import { withCheapPasswords } from '../../apps/service/src/testing/service-process.ts';
import { PASSWORD } from '../../apps/service/src/testing/test-app.ts';
import { isFullTest } from '../test-size.ts';
import { regressionFiles } from './regression.ts';
import { openWorld, run } from './run.ts';

/** A start, the preparation and several hundred requests take seconds, but minutes on a busy machine. */
const TIMEOUT_MS = 600_000;
/** A seed without a slow client, for which the service waits 30 s. */
const SEED = 2;

it.runIf(isFullTest)(
  'answers all stored regressions and new requests without a failure, a restart, a leak or a changed witness',
  async () => {
    const requests = 400;
    const { failure, tally } = await run({
      seed: SEED,
      requests,
      seconds: TIMEOUT_MS / 1000,
      regressions: regressionFiles(),
      warmUp: requests / 2,
      every: requests / 2,
      tell: () => undefined,
      script: withCheapPasswords,
    });
    expect(failure?.problems ?? []).toEqual([]);
    expect(tally.requests).toBeGreaterThanOrEqual(requests);
  },
  TIMEOUT_MS,
);

it.runIf(isFullTest)(
  'takes a password that a role has rightly changed for no damage, and one that another has changed for one',
  async () => {
    await using opened = await openWorld(withCheapPasswords);
    const { world, keeper } = opened;
    const call = (role: 'owner' | 'reader' | 'admin', method: string, path: string, body: object) =>
      world.call(method, path, { token: world.token(role), body });
    const newPassword = 'a password of its own';
    const change = { currentPassword: PASSWORD, newPassword };
    expect((await call('owner', 'PUT', '/api/account/password', change)).status).toBe(200);
    for (const role of ['reader', 'admin'] as const)
      for (let count = 0; count < 5; count++)
        expect((await call(role, 'POST', '/api/account/proof', { password: 'wrong' })).status).toBe(403);
    await keeper.logInAll();
    await keeper.logInAll();

    const userId = world.userIds.get('owner');
    const owner = { userId, role: 'USER', qlikId: 'x', isCreate: true, password: newPassword };
    expect((await call('admin', 'PUT', '/api/user/update', owner)).status).toBe(200);
    await expect(keeper.logInAll()).rejects.toThrow('role owner was answered 401');
  },
  TIMEOUT_MS,
);
