import { describe, expect, it } from 'vitest';
import { regressionFiles } from './regression.ts';
import { replay } from './replay.ts';
import { run } from './run.ts';

/** A start, a filled world and several hundred requests: longer than other tests, above all on a busy machine. */
const TIMEOUT_MS = 300_000;
const SEED = 20_260_101;

describe('the service under attack over raw sockets', () => {
  it(
    'stands every request that once did harm',
    async () => {
      expect(await replay(regressionFiles())).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'answers mutated requests without a failure, a restart, a leak or a changed witness',
    async () => {
      const { failure, tally } = await run({
        seed: SEED,
        requests: 600,
        seconds: 60,
        every: 600,
        tell: () => undefined,
      });
      expect(failure?.problems ?? []).toEqual([]);
      expect(tally.requests).toBeGreaterThanOrEqual(600);
    },
    TIMEOUT_MS,
  );
});
