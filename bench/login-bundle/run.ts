import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { startService } from '../../e2e/fixtures/service.ts';
import { findBrowser } from '../../tools/setup/browser.mjs';

/** Measures what a browser loads to show the login screen. */
const LIMIT_KB = 200;
/** Fonts have a limit of their own: the page shows without waiting for them. WOFF2 is compressed already. */
const FONTS_LIMIT_KB = 50;

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
  if (pathname.endsWith('.woff2')) sizes.set(pathname, (await response.body()).length);
});
await page.goto(`${service.url}/login`);
await page.getByLabel('Password', { exact: true }).waitFor();
await page.waitForLoadState('networkidle');
await browser.close();
await service.stop();

const kilobytesOf = (ending: string) =>
  [...sizes].filter(([path]) => path.endsWith(ending)).reduce((sum, [, size]) => sum + size, 0) / 1000;
const [scripts, fonts] = [kilobytesOf('.js'), kilobytesOf('.woff2')];
const isWithin = scripts <= LIMIT_KB && fonts <= FONTS_LIMIT_KB;
console.log(
  `login page: ${scripts.toFixed(1)} kB of JavaScript (gzip), limit ${LIMIT_KB} kB; ${fonts.toFixed(1)} kB of fonts, limit ${FONTS_LIMIT_KB} kB: ${isWithin ? 'ok' : 'TOO LARGE'}`,
);
process.exitCode = isWithin ? 0 : 1;
