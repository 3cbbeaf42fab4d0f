import type { Page } from 'playwright-core';

interface Watch {
  /** When the first rows were painted, in ms after the navigation began; 0 before. */
  rowsAt: number;
  longest: number;
}

/** From now on every page that is opened notes when it shows rows, and how long its longest task is. */
export async function watchPages(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watch = { rowsAt: 0, longest: 0 };
    Object.assign(globalThis, { watch });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) watch.longest = Math.max(watch.longest, duration);
    }).observe({ type: 'longtask', buffered: true });
    const observer = new MutationObserver(() => {
      if (document.querySelector('tbody tr[data-row-key]') === null) return;
      observer.disconnect();
      // The second frame begins when the first one, which has the rows, was painted.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          watch.rowsAt = performance.now();
        }),
      );
    });
    observer.observe(document, { childList: true, subtree: true });
  });
}

export async function firstRows(page: Page, url: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => (globalThis as unknown as { watch: Watch }).watch.rowsAt > 0);
  return await page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch.rowsAt);
}

/** How long an action took until other rows were there, and the longest task of the page meanwhile. */
export async function actOn(
  page: Page,
  act: () => Promise<unknown>,
): Promise<{ ms: number; longest: number }> {
  const first = () => document.querySelector('tbody tr[data-row-key]')?.getAttribute('data-row-key');
  const before = await page.evaluate(first);
  await page.evaluate(() => {
    (globalThis as unknown as { watch: Watch }).watch.longest = 0;
  });
  const started = performance.now();
  await act();
  await page.waitForFunction((old) => {
    const key = document.querySelector('tbody tr[data-row-key]')?.getAttribute('data-row-key');
    return key !== undefined && key !== old;
  }, before);
  const ms = performance.now() - started;
  // Long tasks are told a moment later.
  await page.waitForTimeout(500);
  const longest = await page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch.longest);
  return { ms, longest };
}
