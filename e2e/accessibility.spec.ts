import type { Page } from '@playwright/test';
import { isFullTest } from '../tools/test-size.ts';
import type { RunningService } from './fixtures/service.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleLayout,
  expectContrast,
  expectNoHorizontalScroll,
  inDialog,
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
/** A form, a table, a form in a dialog, and the colours of states: `npm test` checks these in the dark and on a phone too. */
const checkedWhole = ['/login', '/data/kapsules', '/system/users', '/system/status'];

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

/** Shows the login, the screens and their dialogs, and calls `check` on each, for a dialog with its selector. */
async function visit(
  page: Page,
  service: RunningService,
  paths: readonly string[],
  check: (path: string, within?: string) => Promise<void>,
) {
  await page.goto(`${service.url}/login`);
  await page.getByLabel('Username').waitFor();
  await check('/login');
  for (const path of paths) {
    await open(page, service, path);
    await check(path);
    const button = dialogs[path];
    if (!button) continue;
    await page.getByRole('button', { name: button }).click();
    const dialog = page.getByRole('dialog');
    await dialog.locator('input').first().waitFor();
    await check(path, inDialog);
    await page.keyboard.press('Escape');
    await expect(dialog).toBeHidden();
  }
}

async function inDark(page: Page, within?: string) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page, within);
  await page.emulateMedia({ colorScheme: 'light' });
}

async function onPhone(page: Page, check: () => Promise<void>) {
  const window = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await check();
  if (window) await page.setViewportSize(window);
}

test('every screen passes WCAG 2.2 AA and fits a phone; some or, at full size, all do so in both schemes', async ({
  page,
  service,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, service, screens, async (path, within) => {
    const isWhole = isFullTest || checkedWhole.includes(path);
    await expectAccessible(page, within);
    if (isWhole) await inDark(page, within);
    await onPhone(page, async () => {
      if (isWhole) await expectAccessibleLayout(page, within);
    });
  });
});

// Only colours differ between the variants.
test('the screens of the alternative variant have enough contrast in both schemes', {
  tag: '@full',
}, async ({ page, alternative }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, alternative, screens, async (_, within) => {
    await expectContrast(page, within);
    await inDark(page, within);
  });
});
