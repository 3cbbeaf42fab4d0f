import { expect, it } from 'vitest';
import { regressionFiles } from './regression.ts';
import { run } from './run.ts';

/** A start, a filled world and several hundred requests take seconds, but minutes on a busy machine. */
const TIMEOUT_MS = 600_000;
const SEED = 20_260_101;

it(
  'stands every request that once did harm, and new ones, without a failure, a restart, a leak or a changed witness',
  async () => {
    const requests = 600;
    const { failure, tally } = await run({
      seed: SEED,
      requests,
      seconds: TIMEOUT_MS / 1000,
      regressions: regressionFiles(),
      warmUp: 200,
      every: requests,
      tell: () => undefined,
    });
    expect(failure?.problems ?? []).toEqual([]);
    expect(tally.requests).toBeGreaterThanOrEqual(requests);
  },
  TIMEOUT_MS,
);
