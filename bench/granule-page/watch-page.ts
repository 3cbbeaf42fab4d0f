import type { Page } from 'playwright-core';

interface Watch {
  /** The time of the first painted rows, in ms after the start of the navigation; 0 before. */
  rowsAt: number;
  longest: number;
}

/** Makes every page opened from now on record when it shows rows, and its longest task. */
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
      // The second animation frame starts after the first one, with the rows, was painted.
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

/** The time from an action until other rows are shown, and the longest task meanwhile. */
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
  // The browser reports long tasks with a delay.
  await page.waitForTimeout(500);
  const longest = await page.evaluate(() => (globalThis as unknown as { watch: Watch }).watch.longest);
  return { ms, longest };
}
