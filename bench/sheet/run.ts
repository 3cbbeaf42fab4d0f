import { type CDPSession, chromium, type Page } from 'playwright-core';
import { cell, signIn, startSheetStory } from '../../e2e/fixtures/sheet-story.ts';
import { findBrowser } from '../../tools/setup/browser.mjs';
import { verdict } from '../verdict.ts';

/**
 * Measures how the table of the extension scrolls through 100,000 rows of the simulated engine, with granules looked up
 * from the real service. Prints the frames a second of the page at rest and while it scrolls, and the processor time of
 * the page's main thread for a frame, which other programs on the machine do not change. Exit code 1 when a goal is
 * missed.
 */
const SECONDS = 5;
const GOALS = { framesPerSecond: 55, mainThreadMs: 12, lookups: 45 };

/** Scrolls so many pixels per frame, and collects the times between frames. */
const scroll = (page: Page, pixels: number): Promise<number[]> =>
  page.evaluate(
    async ([seconds, by]) => {
      const grid = document.querySelector('.kaptain')?.shadowRoot?.querySelector('[role=grid]');
      const times: number[] = [];
      const end = performance.now() + seconds * 1000;
      for (let last = performance.now(); last < end; ) {
        grid?.scrollBy(0, by);
        const now = await new Promise<number>(requestAnimationFrame);
        times.push(now - last);
        last = now;
      }
      return times.slice(1);
    },
    [SECONDS, pixels] as const,
  );

const perSecond = (times: readonly number[]) =>
  (times.length * 1000) / times.reduce((sum, ms) => sum + ms, 0);

/** The processor time of the page's main thread so far, in milliseconds. */
async function mainThreadMs(devTools: CDPSession): Promise<number> {
  const { metrics } = await devTools.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000;
}

const story = await startSheetStory();
const executablePath = findBrowser();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath && { executablePath }),
});
try {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await story.open(context, { query: { app: 'app-100000' } });
  await signIn(page);
  await cell(page, 0, 2).filter({ hasText: 'Note 0' }).waitFor();
  const devTools = await context.newCDPSession(page);
  await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
  const atRest = perSecond(await scroll(page, 0));
  // The first round compiles the code.
  await scroll(page, 200);
  let lookups = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/lookup') && request.method() === 'POST') lookups += 1;
  });
  const before = await mainThreadMs(devTools);
  const times = await scroll(page, 200);
  const used = (await mainThreadMs(devTools)) - before;
  console.log(`  frames a second at rest: ${atRest.toFixed(2)}; slowest frame: ${Math.max(...times)} ms`);
  const isLargerBetter = true;
  verdict('frames a second while scrolling', perSecond(times), GOALS.framesPerSecond, { isLargerBetter });
  verdict('main thread for a frame', used / times.length, GOALS.mainThreadMs, { unit: ' ms' });
  verdict(`look-ups in ${SECONDS} seconds`, lookups, GOALS.lookups);
} finally {
  await browser.close();
  await story.stop();
}
