import { chromium, type Page } from 'playwright-core';
import { PASSWORD, startService } from '../../e2e/fixtures/service.ts';
import { findBrowser } from '../../tools/setup/browser.mjs';
import { median } from '../granules-store/watch.ts';
import { verdict } from '../verdict.ts';
import { fill } from './fill.ts';
import { actOn, firstRows, watchPages } from './watch-page.ts';

/**
 * Measures the granule page in a real browser: a million rows must open as fast as a thousand, and no action may have
 * longer tasks. Rounds alternate; prints medians and their ratio. KAPTAIN_BENCH_ROWS sets the number of rows. Exit code 1
 * when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const FEW = 1_000;
const ROUNDS = 11;
const GOALS = { ratio: 1.3 };

async function measureOpening(page: Page, addresses: [few: string, many: string]): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let round = -2; round < ROUNDS; round++) {
    for (const [place, address] of addresses.entries()) {
      const ms = await firstRows(page, address);
      // The first two rounds warm up the browser's caches.
      if (round >= 0) times[place]?.push(ms);
    }
  }
  const [few, many] = [median(times[0]), median(times[1])];
  console.log(
    `first rows: ${few.toFixed(0)} ms with ${FEW} granules, ${many.toFixed(0)} ms with ${ROWS} (medians of ${ROUNDS})`,
  );
  verdict(`first rows of ${ROWS}, times those of ${FEW}`, many / few, GOALS.ratio);
}

/** The longest task of the page for each action; it must not grow with the number of rows. */
async function longestTasks(page: Page, address: string): Promise<number[]> {
  await firstRows(page, address);
  const header = (name: string) => page.locator('thead').getByText(name, { exact: true }).first();
  const actions: [string, () => Promise<unknown>][] = [
    ['to the last page', () => page.locator('.ant-pagination-item').last().click()],
    ['sort by key', () => header('Key').click()],
    ['sort by user', () => header('User').click()],
    ['filter', () => page.locator('.ant-segmented-item-label', { hasText: /^Not Reloaded$/ }).click()],
    ['search three letters', () => page.getByRole('searchbox').fill('987')],
    ['search one letter', () => page.getByRole('searchbox').fill('要')],
  ];
  const tasks: number[] = [];
  for (const [label, act] of actions) {
    const { ms, longest } = await actOn(page, act);
    tasks.push(longest);
    console.log(`  ${label}: ${ms.toFixed(0)} ms, longest task ${longest.toFixed(0)} ms`);
  }
  return tasks;
}

async function measureActions(page: Page, addresses: [few: string, many: string]): Promise<void> {
  console.log(`with ${FEW} granules`);
  const few = await longestTasks(page, addresses[0]);
  console.log(`with ${ROWS} granules`);
  const many = await longestTasks(page, addresses[1]);
  // Without the searches, which come last: a thousand rows have fewer matches to render.
  const sum = (tasks: readonly number[]) => tasks.slice(0, -2).reduce((total, ms) => total + ms, 0);
  verdict(
    `longest tasks of paging, sorting and filtering with ${ROWS}, times those with ${FEW}`,
    sum(many) / sum(few),
    GOALS.ratio,
  );
}

const service = await startService();
const executablePath = findBrowser();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath && { executablePath }),
});
try {
  await service.withAdmin();
  const ids = await fill(service.dataDir, [FEW, ROWS]);
  const [few = '', many = ''] = ids.map((id) => `${service.url}/data/kapsules/${id}`);
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/data/kapsules');
  await watchPages(page);
  await measureOpening(page, [few, many]);
  await measureActions(page, [few, many]);
} finally {
  await browser.close();
  await service.stop();
}
