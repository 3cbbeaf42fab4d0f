import { chromium, type Page } from 'playwright-core';
import { cell, signIn, startSheetStory } from '../../e2e/fixtures/sheet-story.ts';
import { findBrowser } from '../../tools/setup/browser.mjs';
import { verdict } from '../verdict.ts';

/**
 * Measures how the table of the extension scrolls through 100,000 rows of the simulated engine, with granules looked up
 * from the real service. Prints frames a second and the slowest frame. Exit code 1 when a goal is missed.
 */
const SECONDS = 5;
const GOALS = { framesPerSecond: 55, slowestMs: 50 };

/** Scrolls a screen's third per frame, and collects the times between frames. */
const scroll = (page: Page): Promise<number[]> =>
  page.evaluate(async (seconds) => {
    const grid = document.querySelector('.kaptain')?.shadowRoot?.querySelector('[role=grid]');
    const times: number[] = [];
    const end = performance.now() + seconds * 1000;
    for (let last = performance.now(); last < end; ) {
      grid?.scrollBy(0, 200);
      const now = await new Promise<number>(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    return times;
  }, SECONDS);

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
  // The first round compiles the code.
  await scroll(page);
  const times = (await scroll(page)).slice(1);
  const total = times.reduce((sum, ms) => sum + ms, 0);
  verdict(
    'frames a second while scrolling 100,000 rows',
    (times.length * 1000) / total,
    GOALS.framesPerSecond,
    {
      isLargerBetter: true,
    },
  );
  verdict('slowest frame', Math.max(...times), GOALS.slowestMs, { unit: ' ms' });
} finally {
  await browser.close();
  await story.stop();
}
