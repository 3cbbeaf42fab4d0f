import { describe, expect, it } from 'vitest';
import { rowWindow, scrollHeight, scrollTopFor } from './row-window.ts';

const view = (change: object = {}) => ({
  scrollTop: 0,
  height: 320,
  rowHeight: 32,
  rows: 100_000,
  ...change,
});

describe('the window of visible rows', () => {
  it('has the rows of the view and a few beyond its edges', () => {
    expect(rowWindow(view())).toEqual({ first: 0, end: 15, top: 0 });
    expect(rowWindow(view({ scrollTop: 3_200 }))).toEqual({ first: 95, end: 115, top: 95 * 32 });
  });

  it('ends with the last row, and is empty without rows', () => {
    expect(rowWindow(view({ scrollTop: 1e9 }))).toMatchObject({ end: 100_000 });
    expect(rowWindow(view({ rows: 0 }))).toEqual({ first: 0, end: 0, top: 0 });
    expect(rowWindow(view({ rows: 3, scrollTop: 500 }))).toEqual({ first: 0, end: 3, top: 0 });
  });

  it('never has more rows than the view needs, wherever it is', () => {
    for (let scrollTop = 0; scrollTop < 3_300_000; scrollTop += 9_973) {
      const { first, end } = rowWindow(view({ scrollTop }));
      expect(end - first).toBeLessThanOrEqual(21);
    }
  });

  it.each([100, 100_000, 2_000_000])(
    'reaches every row of %i, also beyond what a browser can scroll',
    (rows) => {
      for (const row of [0, 1, Math.floor(rows / 3), rows - 2, rows - 1]) {
        const scrollTop = scrollTopFor(row, view({ rows }));
        const { first, end, top } = rowWindow(view({ rows, scrollTop }));
        expect([first <= row, row < end]).toEqual([true, true]);
        // The row lies inside the view.
        const place = top + (row - first) * 32 - scrollTop;
        expect(place).toBeGreaterThanOrEqual(-1);
        expect(place).toBeLessThanOrEqual(320 - 32 + 1);
      }
      expect(scrollHeight({ rows, rowHeight: 32 })).toBeLessThanOrEqual(15_000_000);
    },
  );

  it('does not scroll to a row that is in view', () => {
    expect(scrollTopFor(102, view({ scrollTop: 3_200 }))).toBe(3_200);
  });
});
