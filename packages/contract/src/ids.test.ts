import { afterEach, expect, it, vi } from 'vitest';
import { idAt, isId, newId, newIdAfter } from './ids.ts';

afterEach(() => vi.useRealTimers());

it('makes increasing ids, also while the clock is set back', () => {
  vi.useFakeTimers();
  const ids = Array.from({ length: 1_000 }, (_, n) => {
    vi.setSystemTime(n < 500 ? 2_000_000_000_000 + n : 1_900_000_000_000);
    return newId();
  });
  expect(ids.every(isId)).toBe(true);
  expect(ids.every((id, n) => n === 0 || id > (ids[n - 1] ?? ''))).toBe(true);
  expect(ids.at(-1)?.slice(0, 12)).toBe(idAt(new Date(2_000_000_000_499).toISOString()).slice(0, 12));
});

it('makes different ids after an id from the future, as several instances do that follow the same one', () => {
  const last = idAt('2100-01-01T00:00:00.000Z');
  const ids = Array.from({ length: 100 }, () => newIdAfter(last));
  expect(ids.every((id) => isId(id) && id > last)).toBe(true);
  expect(new Set(ids).size).toBe(100);
});
