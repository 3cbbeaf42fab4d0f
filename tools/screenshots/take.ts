import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { startService } from '../../e2e/fixtures/service.ts';
import { demoLogins } from '../demo/login.mjs';
import { findBrowser } from '../setup/browser.mjs';
import { root } from '../setup/project.mjs';

/** `npm run screenshots`: takes the documentation's pictures of the demo data. */
const pictures: [name: string, path: string][] = [
  ['kapsules', '/data/kapsules'],
  ['logs', '/system/logs'],
  ['settings', '/data/setting'],
  ['users', '/system/users'],
  ['audit', '/system/audit'],
];

const dataDir = mkdtempSync(join(tmpdir(), 'kaptain-pictures-'));
spawnSync(process.execPath, [join(root, 'tools', 'demo', 'fill.ts'), dataDir], { stdio: 'inherit' });
const service = await startService({ env: { KAPTAIN_DATA_DIR: dataDir } });
const executablePath = findBrowser();
const browser = await chromium.launch({
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  ...(executablePath && { executablePath }),
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
  const [admin] = demoLogins;
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Username').fill(admin?.username ?? '');
  await page.getByLabel('Password', { exact: true }).fill(admin?.password ?? '');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/data/kapsules');
  for (const [name, path] of pictures) {
    await page.goto(service.url + path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: join(root, 'docs', 'screenshots', `${name}.png`) });
  }
} finally {
  await browser.close();
  await service.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
