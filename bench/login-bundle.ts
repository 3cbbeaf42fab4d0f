import { gzipSync } from 'node:zlib';
import { launchBrowser } from './kit/browser.ts';
import { newFolder, removeFolder } from './kit/folders.ts';
import { endSection, figure } from './kit/report.ts';
import { startService } from './kit/service.ts';

/*
 * What a browser loads to show the login screen. Fonts have a limit of their own: the page shows without waiting for them. WOFF2
 * is compressed already.
 */
const GOALS = { scriptsKB: 200, fontsKB: 50 };

const folder = newFolder();
const { url, child } = await startService(folder);
const browser = await launchBrowser();
const page = await browser.newPage();
const sizes = new Map<string, number>();
page.on('response', async (response) => {
  const { pathname } = new URL(response.url());
  if (pathname.endsWith('.js')) sizes.set(pathname, gzipSync(await response.body()).length);
  if (pathname.endsWith('.woff2')) sizes.set(pathname, (await response.body()).length);
});
await page.goto(`${url}/login`);
await page.getByLabel('Password', { exact: true }).waitFor();
await page.waitForLoadState('networkidle');
await browser.close();
await child.stop('stop');
removeFolder(folder);

const kilobytesOf = (ending: string) =>
  [...sizes].filter(([path]) => path.endsWith(ending)).reduce((sum, [, size]) => sum + size, 0) / 1000;
figure('JavaScript of the login page, gzip', kilobytesOf('.js'), { atMost: GOALS.scriptsKB, unit: ' kB' });
figure('its fonts', kilobytesOf('.woff2'), { atMost: GOALS.fontsKB, unit: ' kB' });
endSection(['The login page']);
