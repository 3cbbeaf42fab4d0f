import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { startService } from '../../e2e/fixtures/service.ts';
import { findBrowser } from '../../tools/setup/browser.mjs';

/** Measures what a browser loads to show the login screen. */
const LIMIT_KB = 200;

const executablePath = findBrowser();
const service = await startService();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath && { executablePath }),
});
const page = await browser.newPage();
const sizes = new Map<string, number>();
page.on('response', async (response) => {
  const { pathname } = new URL(response.url());
  if (pathname.endsWith('.js')) sizes.set(pathname, gzipSync(await response.body()).length);
});
await page.goto(`${service.url}/login`);
await page.getByLabel('Password', { exact: true }).waitFor();
await page.waitForLoadState('networkidle');
await browser.close();
await service.stop();

const kilobytes = [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000;
const isWithin = kilobytes <= LIMIT_KB;
console.log(
  `login page: ${kilobytes.toFixed(1)} kB of JavaScript (gzip) in ${sizes.size} files, limit ${LIMIT_KB} kB: ${isWithin ? 'ok' : 'TOO LARGE'}`,
);
process.exitCode = isWithin ? 0 : 1;
