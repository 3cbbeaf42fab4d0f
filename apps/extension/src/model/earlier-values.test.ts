import { describe, expect, it } from 'vitest';
import { earlierValues } from './earlier-values.ts';

const state = (version: number, data: unknown, deletedAt: string | null = null) => ({
  version,
  user: `user ${version}`,
  data,
  updatedAt: `time ${version}`,
  deletedAt,
  deletedBy: null,
});

describe('the earlier values of a field', () => {
  it('are those before the present one, newest first, without states that changed other fields', () => {
    const states = [
      state(5, { a: 'three', b: 2 }),
      state(4, { a: 'two', b: 2 }),
      state(3, { a: 'two', b: 1 }),
      state(2, {}, 'deleted'),
      state(1, { a: 'one' }),
    ];
    expect(earlierValues(states, 'a', 5)).toEqual([
      { value: 'two', user: 'user 3', at: 'time 3' },
      { value: 'one', user: 'user 1', at: 'time 1' },
    ]);
    expect(earlierValues(states, 'a', 1)).toHaveLength(1);
  });

  it('are none where the field had one value; a state whose data is left out is skipped', () => {
    expect(earlierValues([state(2, { a: 1, b: 1 }), state(1, { a: 1 })], 'a', 5)).toEqual([]);
    const large = { ...state(2, undefined), dataBytes: 2_000_000 };
    expect(earlierValues([state(3, { a: 1 }), large, state(1, { a: 1 })], 'a', 5)).toEqual([]);
  });

  it('include one that was emptied', () => {
    const states = [state(3, { a: 'new' }), state(2, {}), state(1, { a: 'old' })];
    expect(earlierValues(states, 'a', 5).map(({ value }) => value)).toEqual([undefined, 'old']);
  });
});
