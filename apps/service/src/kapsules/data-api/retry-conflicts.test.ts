import { GranuleConflictError } from '@kaptain/store';
import { expect, it, onTestFinished, vi } from 'vitest';
import { retryConflicts } from './retry-conflicts.ts';

const conflict = () => new GranuleConflictError([], 1);

it('a save is repeated while other writers are faster, and answered with a time to try again in the end', async () => {
  let tries = 0;
  const save = (failing: number) => async () => {
    tries += 1;
    if (tries <= failing) throw conflict();
    return tries;
  };
  expect(await retryConflicts(save(11))).toBe(12);
  tries = 0;
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (now += 1_000));
  onTestFinished(() => clock.mockRestore());
  await expect(retryConflicts(save(Number.POSITIVE_INFINITY))).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    headers: { 'retry-after': '10' },
  });
  expect(tries).toBeGreaterThanOrEqual(10);
  tries = 0;
  // The caller has read the version that is stale, and decides.
  await expect(retryConflicts(save(1), { isOurs: () => false })).rejects.toBeInstanceOf(GranuleConflictError);
  expect(tries).toBe(1);
});
