import type { NxCell } from '@nebula.js/stardust';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RowPages } from '../model/row-pages.ts';
import { RowLoader } from './row-loader.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the loader of visible rows', () => {
  it('looks up a few windows of a long scroll, at once at its begin and the last one at its end', async () => {
    const pages = new RowPages<readonly NxCell[]>(100_000, async (top, height) =>
      Array.from({ length: height }, (_, n) => [{ qText: `K${top + n}` }]),
    );
    const asked: (readonly string[])[] = [];
    const workspace = {
      access: { token: 'token' },
      revision: 0,
      lookUp: async (keys: readonly string[]) => {
        asked.push(keys);
        await vi.advanceTimersByTimeAsync(5);
        return true;
      },
    };
    let first = 0;
    const loader = new RowLoader(
      () => ({
        pages,
        workspace,
        window: { first, end: first + 10, top: 0 },
        keyAt: (row) => pages.row(row)?.[0]?.qText ?? '',
        keyBeside: undefined,
      }),
      () => undefined,
    );
    // A second of 60 frames.
    for (; first < 6_000; first += 100) {
      void loader.load();
      await vi.advanceTimersByTimeAsync(1000 / 60);
    }
    void loader.load();
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked.length).toBeLessThanOrEqual(9);
    expect([asked[0]?.[0], asked.at(-1)?.[0], asked.at(-1)?.length]).toEqual(['K0', 'K6000', 10]);
  });
});
