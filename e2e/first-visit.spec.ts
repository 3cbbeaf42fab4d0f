import type { Page } from '@playwright/test';
import rootPackage from '../package.json' with { type: 'json' };
import { PASSWORD, type RunningService, startService } from './fixtures/service.ts';
import { expect, test } from './fixtures/test.ts';

let service: RunningService;
test.beforeEach(async () => {
  service = await startService();
});
test.afterEach(() => service.stop());

async function createAdmin(page: Page, again = PASSWORD) {
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel(/confirm|again/i).fill(again);
  await page.getByRole('button', { name: /create/i }).click();
}

test('first visit → rules of the form → failed creation → create admin → log in → kapsule list → about → log out', async ({
  page,
}) => {
  await page.goto(service.url);
  await expect(page).toHaveURL(/\/login$/);
  const name = page.getByLabel('Username');
  await expect(name).toHaveValue('admin');
  await expect(name).toBeDisabled();

  await page.getByRole('button', { name: /create/i }).click();
  await expect(page.getByText('Please use at least 8 characters as password!')).toBeVisible();
  await expect(page.getByText('Please input your Password again!')).toBeVisible();
  await createAdmin(page, 'something else');
  await expect(page.getByText('The two passwords that you entered do not match!')).toBeVisible();

  await page.route('**/api/user/init', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  await createAdmin(page);
  await expect(page.getByText('Create admin failed')).toBeVisible();
  await expect(page.getByText('Please try again!')).toBeVisible();
  await expect(name).toBeDisabled();
  await page.unroute('**/api/user/init');

  await createAdmin(page);
  await expect(name).toBeEnabled();
  await name.fill('admin');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await expect(page.getByRole('heading', { name: 'Kapsules', level: 1 })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(sessionStorage).length)).toBe(2);

  await page.getByRole('link', { name: 'About' }).click();
  await expect(page.getByText(rootPackage.version).first()).toBeVisible();

  await page.getByRole('button', { name: /account|admin/i }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('a failed status call counts as initialized; a second visitor is told that the admin exists', {
  tag: '@full',
}, async ({ page }) => {
  await page.route('**/api/user/status', (route) => route.abort());
  await page.goto(`${service.url}/login`);
  await expect(page.getByLabel('Username')).toBeEnabled();
  await page.unroute('**/api/user/status');

  await page.reload();
  await expect(page.getByLabel('Username')).toBeDisabled();
  await service.withAdmin();
  await createAdmin(page);
  await expect(page.getByText('Admin already exist')).toBeVisible();
  await expect(page.getByText('Please login and use the service with admin user!')).toBeVisible();
  await expect(page.getByLabel('Username')).toBeEnabled();
});
