import type { Page } from 'playwright-core';
import { embeddedDatabase } from '../databases/embedded.ts';
import { launchBrowser } from '../kit/browser.ts';
import { filledKapsule } from '../kit/kapsules.ts';
import { roundsOr, rowsOr } from '../kit/options.ts';
import { besideOthers } from '../kit/others.ts';
import { PASSWORD } from '../kit/people.ts';
import { endSection, figure, note } from '../kit/report.ts';
import { runService } from '../kit/service.ts';
import { median } from '../kit/times.ts';
import { actOn, firstRows, watchPages } from './watch-page.ts';

/*
 * The granule page in a real browser: a million rows must open as fast as a thousand, and no action may have longer tasks; beside
 * another person's calls.
 */
const ROWS = rowsOr(1_000_000);
const FEW = 1_000;
const ROUNDS = roundsOr(11);
const GOALS = { ratio: 1.3 };

async function measureOpening(page: Page, addresses: [few: string, many: string]): Promise<void> {
  const times: [number[], number[]] = [[], []];
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, address] of addresses.entries()) {
      const ms = await firstRows(page, address);
      // The first two rounds warm up the browser's caches.
      if (round >= 0) times[index]?.push(ms);
    }
  }
  const [few, many] = [median(times[0]), median(times[1])];
  figure(`first rows of ${ROWS} to those of ${FEW}`, many / few, {
    atMost: GOALS.ratio,
    details: `${many.toFixed(0)} ms, ${few.toFixed(0)} ms`,
  });
}

/** The longest task of the page for each action; it must not grow with the number of rows. */
async function longestTasks(page: Page, address: string, rows: number): Promise<number[]> {
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
    note(`${label} of ${rows} rows`, `${ms.toFixed(0)} ms, longest task ${longest.toFixed(0)} ms`);
  }
  return tasks;
}

async function measureActions(page: Page, addresses: [few: string, many: string]): Promise<void> {
  const few = await longestTasks(page, addresses[0], FEW);
  const many = await longestTasks(page, addresses[1], ROWS);
  // Without the searches, which come last: a thousand rows have fewer matches to render.
  const sum = (tasks: readonly number[]) => tasks.slice(0, -2).reduce((total, ms) => total + ms, 0);
  const label = `longest tasks of paging, sorting and filtering ${ROWS} rows to those of ${FEW}`;
  figure(label, sum(many) / sum(few), { atMost: GOALS.ratio });
}

await using database = await embeddedDatabase();
await using running = await runService(database);
const { url, admin, listKapsules } = running;
const few = `${url}/data/kapsules/${await filledKapsule(database, admin, FEW)}`;
const many = `${url}/data/kapsules/${await filledKapsule(database, admin, ROWS)}`;
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  await page.goto(`${url}/login`);
  await page.getByLabel('Username').fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/data/kapsules');
  await watchPages(page);
  await measureOpening(page, [few, many]);
  await besideOthers('the granule page', listKapsules, () => measureActions(page, [few, many]));
  endSection(['The granule page'], `${ROWS} rows`);
} finally {
  await browser.close();
}
