import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceChanges } from './source-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A source whose looks are counted, and what a listener was told. */
function followed() {
  const seen = { change: 1, looks: 0, told: 0, failure: undefined as object | undefined };
  const changes = new SourceChanges();
  const look = async () => {
    seen.looks += 1;
    if (seen.failure) throw seen.failure;
    return seen.change;
  };
  changes.listen('k', look, () => void (seen.told += 1));
  return { seen, changes };
}

describe('the changes of a data source', () => {
  it('are told once each: those of others by the next look, those of this process at once', async () => {
    const { seen, changes } = followed();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.told).toBe(1);
    seen.change = 2;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.told).toBe(2);
    seen.change = 3;
    await changes.tell('k');
    expect(seen.told).toBe(3);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen.told).toBe(3);
    changes.close();
  });

  it.each([
    ['is down', { category: 'refused' }, 7],
    ['refuses the login', { category: 'login' }, 4],
  ])(
    'are looked for ever more seldom while it %s, and every second again afterwards',
    async (_, failure, looks) => {
      const { seen, changes } = followed();
      seen.failure = failure;
      await vi.advanceTimersByTimeAsync(3 * 60_000 + 1_000);
      expect(seen.looks).toBe(looks);
      seen.failure = undefined;
      await vi.advanceTimersByTimeAsync(60_000);
      const before = seen.looks;
      await vi.advanceTimersByTimeAsync(3_000);
      expect(seen.looks - before).toBe(3);
      expect(seen.told).toBe(1);
      changes.close();
    },
  );
});
