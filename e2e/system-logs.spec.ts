import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService } from './fixtures/service.ts';
import {
  expect,
  expectAccessible,
  expectContrast,
  expectNoHorizontalScroll,
  inDialog,
  logInAs,
  openAs,
  test,
} from './fixtures/test.ts';

const lines = (page: Page) => page.getByRole('log').locator('div');
const rows = (page: Page) => page.getByRole('table', { name: 'system-current.log' }).locator('tbody tr');

test('an ADMIN reads, searches, follows and saves the log files and sees the status', async ({ page }) => {
  const own: RunningService = await startFilledService();
  try {
    await logInAs(page, own);
    await page.getByRole('menuitem', { name: 'System Logs' }).click();
    await expect(page).toHaveURL(/\/program\/logs$/);
    for (const title of ['System log', 'App log'])
      await expect(page.getByRole('heading', { name: title, exact: true })).toBeVisible();

    const view = page.getByRole('button', { name: 'View system-current.log' });
    await view.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'system-current.log' });
    await expect(drawer.getByRole('table')).toContainText('service started');
    const box = async () => page.locator('.ant-drawer-content-wrapper').boundingBox();
    const left = (page.viewportSize()?.width ?? 0) - 1024;
    await expect.poll(box).toMatchObject({ x: left, width: 1024 });

    await drawer.getByPlaceholder('Search in this log').fill('SERVICE started');
    await expect(rows(page)).toHaveCount(1);
    await rows(page).getByRole('button').press('Enter');
    await expect(drawer.getByRole('figure')).toContainText('"msg": "service started"');
    await drawer.getByText('Text', { exact: true }).click();
    await expect(lines(page)).toHaveCount(1);
    await drawer.getByPlaceholder('Search in this log').fill('');
    const file = join(own.dataDir, 'logs', 'system-current.log');
    await drawer.getByLabel('Follow').click();
    await appendFile(file, '{"level":"error","msg":"disk on fire \u202e"}\n');
    await expect(drawer.getByText('disk on fire \\u202e')).toBeInViewport();
    await drawer.getByRole('log').focus();
    await page.keyboard.press('Home');
    await expect(lines(page).first()).toBeInViewport();
    await drawer.getByRole('button', { name: 'Newest' }).click();
    await expect(lines(page).last()).toBeInViewport();
    await drawer.getByLabel('Level').click();
    await page.getByTitle('Errors only').click();
    await expect(lines(page)).toHaveCount(1);
    await expectAccessible(page, inDialog);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expectContrast(page, inDialog);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      drawer.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('system-current.log');
    expect(await readFile(await download.path(), 'utf8')).toContain('service started');

    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    await page.keyboard.press('Escape');
    await expect(drawer).toBeHidden();
    await expect(view).toBeFocused();
    await expectNoHorizontalScroll(page);

    await openAs(page, own, '/system/status');
    const checks = page.getByRole('list', { name: 'Checks' });
    await expect(checks.getByRole('listitem').filter({ hasText: /^Database/ })).toContainText(
      /answers within \d+ ms/,
    );
    await expect(page.getByRole('heading', { name: 'First steps: 2 of 5 done' })).toBeVisible();
    await expectNoHorizontalScroll(page);
    await page.getByRole('button', { name: 'Make a backup' }).click();
    const [backup] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Yes' }).click(),
    ]);
    expect(backup.suggestedFilename()).toMatch(/^kaptain-.+\.backup$/);
    expect((await readFile(await backup.path(), 'latin1')).startsWith('SQLite format 3')).toBe(true);
    await expect(page.getByRole('heading', { name: 'First steps: 3 of 5 done' })).toBeVisible();
  } finally {
    await own.stop();
  }
});
