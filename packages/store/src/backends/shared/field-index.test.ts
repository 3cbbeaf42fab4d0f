import { describe, expect, it } from 'vitest';
import { fieldsToIndex, rangeOf, roomFor } from './field-index.ts';
import { comparatorOf, pageOfEntries, type SortedEntry, skippedFor } from './sorted-entries.ts';
import { FIELD_INDEX_LEAST_AGE_MS, FIELD_INDEXES_PER_KAPSULE } from './tuning.ts';

describe('the indexes of a kapsule', () => {
  const now = 1_000_000_000;
  const index = (number: number, age: number, unused: number) => ({
    number,
    createdAt: now - age,
    usedAt: now - unused,
  });
  const many = Array.from({ length: FIELD_INDEXES_PER_KAPSULE }, (_, n) =>
    index(n, FIELD_INDEX_LEAST_AGE_MS + n, n),
  );

  it('are limited: the one that was not used for the longest time leaves, if it is old enough', () => {
    expect(roomFor(many.slice(1), now)).toEqual({});
    expect(roomFor(many, now)).toEqual({ leaves: FIELD_INDEXES_PER_KAPSULE - 1 });
    const young = many.map((one) => ({ ...one, createdAt: now - FIELD_INDEX_LEAST_AGE_MS + 1 }));
    expect(roomFor(young, now)).toBeUndefined();
    expect(roomFor([...young.slice(1), index(99, FIELD_INDEX_LEAST_AGE_MS, 0)], now)).toEqual({ leaves: 99 });
  });

  it('are those of ranges, of empty fields and of the order, each once', () => {
    const amount = { name: 'Amount', type: 'number' } as const;
    const where = [
      { field: 'Amount', type: 'number', is: 'between', from: 1 },
      { field: 'Amount', type: 'number', is: 'filled' },
      { field: 'Note', type: 'text', is: 'contains', text: 'x' },
      { field: 'Note', type: 'text', is: 'empty' },
    ] as const;
    expect(fieldsToIndex(where, amount)).toEqual([amount, { name: 'Note', type: 'text' }]);
    expect(rangeOf(where[2])).toBeUndefined();
    const day = { field: 'Due', type: 'date', is: 'between', to: '2026-01-31' } as const;
    expect('2026-01-31T23:59:59Z' < (rangeOf(day) as { to: string }).to).toBe(true);
  });
});

describe('a page along an index', () => {
  it('has changed granules at their places, however far it is from the beginning', () => {
    const entry = (row: number): SortedEntry<number> => ({ row, value: row % 7 === 0 ? null : row % 5 });
    for (const descending of [false, true]) {
      const all = Array.from({ length: 60 }, (_, row) => entry(row)).sort(comparatorOf(descending));
      const changed = all.filter(({ row }) => row % 4 === 1);
      const entries = all.filter(({ row }) => row % 4 !== 1);
      for (let offset = 0; offset <= 61; offset += 1) {
        const skipped = skippedFor(offset, changed);
        const read = entries.slice(skipped, skipped + offset - skipped + 5);
        const page = pageOfEntries(read, changed, { descending, offset, limit: 5 }, skipped);
        const wanted = all.slice(offset, offset + 5).map(({ row }) => row);
        expect([offset, page]).toEqual([offset, wanted]);
        const unskipped = pageOfEntries(entries, changed, { descending, offset, limit: 5 }, 0);
        expect([offset, unskipped]).toEqual([offset, wanted]);
      }
    }
  });
});
