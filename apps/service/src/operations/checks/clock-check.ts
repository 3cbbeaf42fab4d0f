import type { Store } from '@kaptain/store';
import { isFromFuture } from '../../base/time/clock.ts';
import { type Check, error, ok } from './check.ts';

/** No release is older: an earlier clock is wrong. */
const OLDEST = '2026-11-01T00:00:00.000Z';

/** Compares the clock with the newest audit entry, which this instance or another one has written. */
export const clockCheck = (store: Pick<Store, 'audit'>, now: number): Check => ({
  name: 'Clock',
  async check() {
    const shown = new Date(now).toISOString();
    if (now < Date.parse(OLDEST))
      return error(`It shows ${shown}, which is in the past: set it, and let it follow a time server.`);
    const [last] = await store.audit.recent({ limit: 1 });
    if (last && isFromFuture(last.at, now))
      return error(
        `It shows ${shown}, but the newest audit entry is of ${last.at}: set the clocks of all instances, and let them follow a time server.`,
      );
    return ok('It agrees with the times in the database.');
  },
});
