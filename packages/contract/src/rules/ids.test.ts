import { afterEach, expect, it, vi } from 'vitest';
import { idAt, isId, newId, newIdAfter } from './ids.ts';

afterEach(() => vi.useRealTimers());

it('makes increasing ids, also while the clock is set back', async () => {
  const ahead = Date.now() + 20;
  vi.useFakeTimers({ toFake: ['Date'] });
  const ids = Array.from({ length: 1_000 }, (_, n) => {
    vi.setSystemTime(n < 20 ? ahead - 19 + n : ahead - 100_000_000);
    return newId();
  });
  vi.useRealTimers();
  expect(ids.every(isId)).toBe(true);
  expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? ''))).toBe(true);
  expect(ids.at(-1)?.slice(0, 12)).toBe(idAt(new Date(ahead).toISOString()).slice(0, 12));
  // From then on the ids of this process, which other files share, have the time of the clock again.
  await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(ahead));
});

it('makes different ids after an id from the future, as several instances do that follow the same one', () => {
  const last = idAt('2100-01-01T00:00:00.000Z');
  const ids = Array.from({ length: 100 }, () => newIdAfter(last));
  expect(ids.every((id) => isId(id) && id > last)).toBe(true);
  expect(new Set(ids).size).toBe(100);
});
