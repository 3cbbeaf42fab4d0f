import type { Page } from '@playwright/test';
import type { RunningService } from './fixtures/service.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleLayout,
  expectContrast,
  expectNoHorizontalScroll,
  openAs,
  test,
} from './fixtures/test.ts';

const screens = [
  '/data/kapsules',
  '/about',
  '/system/users',
  '/system/groups',
  '/data/apikey',
  '/data/setting',
  '/system/audit',
  '/system/logs',
  '/program/logs',
  '/system/status',
  '/account',
  '/nowhere',
];

/** The dialogs of the screens. */
const dialogs: Record<string, string> = {
  '/system/users': 'Create User',
  '/system/groups': 'Create Group',
  '/data/apikey': 'Create Api Key',
  '/program/logs': 'View system-current.log',
};

/** Opens a screen through the menu, which takes less time than loading the console, or by its address. */
async function open(page: Page, service: RunningService, path: string) {
  const title = page.getByRole('heading', { level: 1 });
  const entry = page.locator(`nav a[href="${path}"]`);
  if (await entry.isVisible()) {
    const earlier = (await title.textContent()) ?? '';
    await entry.click();
    await expect(title).not.toHaveText(earlier);
  } else await openAs(page, service, path);
  await title.waitFor();
  await expect(page.locator('.ant-spin-spinning, .ant-skeleton')).toHaveCount(0);
}

/** Shows the login, every screen and its dialog, and calls `check` on each. */
async function visitAll(page: Page, service: RunningService, check: () => Promise<void>) {
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Username').waitFor();
  await check();
  for (const path of screens) {
    await open(page, service, path);
    await check();
    const button = dialogs[path];
    if (!button) continue;
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input').first().waitFor();
    await check();
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
}

const inBothSchemes = async (page: Page, light: (page: Page) => Promise<void>) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await light(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page);
};

test('every screen passes WCAG 2.2 AA in both schemes, and fits a phone', async ({ page, service }) => {
  await visitAll(page, service, async () => {
    const window = page.viewportSize();
    await inBothSchemes(page, expectAccessible);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    await expectAccessibleLayout(page);
    if (window) await page.setViewportSize(window);
  });
});

// Only colours differ between the variants.
test('every screen of the alternative variant has enough contrast in both schemes', async ({
  page,
  alternative,
}) => {
  await visitAll(page, alternative, () => inBothSchemes(page, expectContrast));
});
