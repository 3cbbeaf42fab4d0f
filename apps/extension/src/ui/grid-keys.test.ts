import { describe, expect, it } from 'vitest';
import { moved, movedAfterEdit } from './grid-keys.ts';

const extent = { rows: 1_000, columns: 4, page: 20 };

describe('the keys of the grid', () => {
  it.each([
    ['ArrowUp', false, 9, 1],
    ['ArrowDown', false, 11, 1],
    ['ArrowLeft', false, 10, 0],
    ['ArrowRight', false, 10, 2],
    ['ArrowDown', true, 999, 1],
    ['Home', false, 10, 0],
    ['End', false, 10, 3],
    ['Home', true, 0, 0],
    ['End', true, 999, 3],
    ['PageUp', false, 0, 1],
    ['PageDown', false, 30, 1],
  ])('%s (with Ctrl: %s) moves to row %i, column %i', (key, ctrlKey, row, column) => {
    expect(moved({ row: 10, column: 1 }, { key, ctrlKey }, extent)).toEqual({ row, column });
  });

  it('stop at the edges, and ignore other keys', () => {
    expect(moved({ row: 0, column: 0 }, { key: 'ArrowUp', ctrlKey: false }, extent)).toEqual({
      row: 0,
      column: 0,
    });
    expect(moved({ row: 0, column: 0 }, { key: 'a', ctrlKey: false }, extent)).toBeUndefined();
  });

  it('move on after an edit', () => {
    const place = { row: 10, column: 1 };
    const after = (key: string, shiftKey = false) =>
      movedAfterEdit(place, { key, ctrlKey: false, shiftKey }, extent);
    expect([after('Enter'), after('Enter', true), after('Tab'), after('Tab', true)]).toEqual([
      { row: 11, column: 1 },
      { row: 9, column: 1 },
      { row: 10, column: 2 },
      { row: 10, column: 0 },
    ]);
  });
});
