import type { CDPSession, Page } from 'playwright-core';
import { cell, signIn, startSheetStory } from '../e2e/fixtures/sheet-story.ts';
import { launchBrowser } from './kit/browser.ts';
import { secondsOr } from './kit/options.ts';
import { endSection, figure } from './kit/report.ts';

/*
 * How the table of the extension scrolls through 100,000 rows of the simulated engine, with granules looked up from the real
 * service: the frames a second of the page at rest and while it scrolls, and the processor time of the page's main thread for
 * a frame, which other programs on the machine do not change.
 */
const SECONDS = secondsOr(5);
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
const browser = await launchBrowser();
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
  const details = `at rest ${atRest.toFixed(1)}; slowest frame ${Math.max(...times).toFixed(0)} ms`;
  const perFrame = used / times.length;
  figure('frames a second', perSecond(times), { atLeast: GOALS.framesPerSecond, unit: '', details });
  figure('main thread for a frame', perFrame, { atMost: GOALS.mainThreadMs, unit: ' ms' });
  figure('look-ups in 5 seconds', (lookups * 5) / SECONDS, { atMost: GOALS.lookups, unit: '' });
  endSection(['The table on a sheet']);
} finally {
  await browser.close();
  await story.stop();
}
