/** `npm run screenshots`: takes the pictures of the guide, of a new service and of the demo data. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Page } from 'playwright-core';
import { startService } from '../../e2e/fixtures/service.ts';
import { demoLogins } from '../demo/login.mjs';
import { findBrowser } from '../setup/browser.mjs';
import { root } from '../setup/project.mjs';
import { ofDemo, ofNewService, type Picture } from './pictures.ts';
import { webpOf } from './webp.ts';

const folder = join(root, 'docs', 'guide', 'pictures');
const executablePath = findBrowser();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath && { executablePath }),
});
const newPage = () =>
  browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', colorScheme: 'light' });

async function take(page: Page, url: string, pictures: readonly Picture[]): Promise<void> {
  const converter = await newPage();
  for (const { name, path, prepare } of pictures) {
    await page.goto(url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await prepare?.(page);
    // A page that listens to changes is never idle.
    await page.waitForLoadState('networkidle', { timeout: 3_000 }).catch(() => undefined);
    const picture = await webpOf(page, converter);
    writeFileSync(join(folder, `${name}.webp`), picture);
    console.log(`${name}.webp: ${Math.round(picture.length / 1000)} kB`);
  }
}

async function logIn(page: Page, url: string): Promise<void> {
  const [admin] = demoLogins;
  await page.goto(`${url}/login`);
  await page.getByLabel('Username').fill(admin?.username ?? '');
  await page.getByLabel('Password', { exact: true }).fill(admin?.password ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/data/kapsules');
}

async function withService(
  options: Parameters<typeof startService>[0],
  work: (url: string) => Promise<void>,
): Promise<void> {
  const service = await startService(options);
  try {
    await work(service.url);
  } finally {
    await service.stop();
  }
}

const dataDir = mkdtempSync(join(tmpdir(), 'kaptain-pictures-'));
try {
  mkdirSync(folder, { recursive: true });
  await withService({}, async (url) => take(await newPage(), url, ofNewService));
  spawnSync(process.execPath, [join(root, 'tools', 'demo', 'fill.ts'), dataDir], { stdio: 'inherit' });
  await withService({ env: { KAPTAIN_DATA_DIR: dataDir } }, async (url) => {
    const page = await newPage();
    await logIn(page, url);
    await take(page, url, ofDemo);
  });
} finally {
  await browser.close();
  rmSync(dataDir, { recursive: true, force: true });
}
