import { expect, it } from 'vitest';
import { isFullTest } from '../../../tools/test-size.ts';
import { withCheapPasswords } from '../src/testing/service-process.ts';
import { regressionFiles } from './regression.ts';
import { run } from './run.ts';

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
