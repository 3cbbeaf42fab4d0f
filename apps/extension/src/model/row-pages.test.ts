import { describe, expect, it } from 'vitest';
import { RowPages } from './row-pages.ts';

function source(total: number) {
  const asked: [number, number][] = [];
  const pages = new RowPages<number>(total, async (top, height) => {
    asked.push([top, height]);
    return Array.from({ length: height }, (_, n) => top + n);
  });
  return { pages, asked };
}

describe('the rows of a hypercube', () => {
  it('are fetched where the window is, and once', async () => {
    const { pages, asked } = source(100_000);
    await Promise.all([pages.ensure(50_090, 50_120), pages.ensure(50_090, 50_120)]);
    await pages.ensure(50_100, 50_110);
    expect(asked).toEqual([
      [50_000, 100],
      [50_100, 100],
    ]);
    expect([pages.row(50_119), pages.row(0), pages.row(99_999)]).toEqual([50_119, undefined, undefined]);
  });

  it('end with the last one', async () => {
    const { pages, asked } = source(130);
    await pages.ensure(120, 500);
    expect(asked).toEqual([[100, 30]]);
    expect([pages.row(129), pages.row(130)]).toEqual([129, undefined]);
  });

  it('are fetched again after a failure', async () => {
    let failures = 1;
    const pages = new RowPages<number>(10, async () => {
      if (failures-- > 0) throw new Error('away');
      return [1];
    });
    await expect(pages.ensure(0, 1)).rejects.toThrow('away');
    await pages.ensure(0, 1);
    expect(pages.row(0)).toBe(1);
  });

  it('of a long scroll do not all stay in memory', async () => {
    const { pages, asked } = source(100_000);
    for (let row = 0; row < 100_000; row += 100) await pages.ensure(row, row + 10);
    expect(asked).toHaveLength(1_000);
    expect([pages.row(0), pages.row(99_950)]).toEqual([undefined, 99_950]);
  });
});
