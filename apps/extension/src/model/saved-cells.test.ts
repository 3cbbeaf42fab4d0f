import { expect, it } from 'vitest';
import { KnownGranules, noGranule } from './known-granules.ts';
import { changedCells, FRESH_MS, SavedCells } from './saved-cells.ts';

it('tells which cells a save has changed, which ones just now, and the last one', () => {
  const known = new KnownGranules();
  known.set('A', { ...noGranule, version: 1, data: { Comment: 'old', Amount: 1 } });
  const rows = [
    { key: 'A', data: { Comment: 'new', Amount: 1 }, version: 1 },
    { key: 'B', data: { Done: true }, version: 0 },
  ];
  const cells = changedCells(rows, known);
  expect(cells).toEqual([
    { key: 'A', field: 'Comment' },
    { key: 'B', field: 'Done' },
  ]);
  const saved = new SavedCells();
  saved.learn(cells, 10_000);
  const [first] = cells;
  expect(saved.last).toEqual({ key: 'B', field: 'Done', at: 10_000 });
  expect(first && [saved.isFresh(first, 10_001), saved.isFresh(first, 10_000 + FRESH_MS)]).toEqual([
    true,
    false,
  ]);
  saved.learn([], 10_000 + FRESH_MS);
  expect(saved.last?.key).toBe('B');
});
