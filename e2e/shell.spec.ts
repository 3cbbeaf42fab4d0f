import { PASSWORD, type RunningService } from './fixtures/service.ts';
import { expect, logInAs, openAs, test } from './fixtures/test.ts';

/** Shared with the other files of this worker. */
let own: RunningService;
test.beforeAll(async ({ service }) => {
  own = service;
  const admin = own.client((await own.session('admin')).accessToken);
  await admin.users.create({
    body: { username: 'ursula', password: PASSWORD, role: 'USER', qlikId: 'CORP\\ursula', isCreate: true },
  });
});

test('the root redirects to the kapsule list; an unknown address shows the not-found page with a way back', async ({
  page,
}) => {
  await openAs(page, own, '/');
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await page.goto(`${own.url}/no/such/page`);
  await expect(page.getByRole('heading', { level: 1, name: 'Page not found' })).toBeVisible();
  await page.getByRole('button', { name: 'Back to the start' }).click();
  await expect(page).toHaveURL(/\/data\/kapsules$/);
});

test('for a USER the System group is disabled and the admin routes are not registered', async ({ page }) => {
  for (const path of ['/system/users', '/system/groups', '/data/apikey', '/system/audit']) {
    await openAs(page, own, path, 'ursula');
    await expect(page.getByText(/not found|no such page|404/i).first()).toBeVisible();
  }
  const group = page.getByRole('menuitem', { name: 'System', exact: true });
  await expect(group).toHaveAttribute('aria-disabled', 'true');
});

test('Ctrl-K opens the palette; the scheme and the collapsed menu are remembered; a small screen has a drawer', async ({
  page,
}) => {
  await logInAs(page, own);
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('about');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/about$/);

  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: /scheme|appearance|theme/i }).click();
  await page.getByRole('menuitem', { name: /dark/i }).click();
  await expect.poll(background).not.toBe(light);

  const width = async () => (await page.getByRole('navigation').first().boundingBox())?.width ?? 0;
  await expect.poll(width).toBeGreaterThan(180);
  await page.getByRole('button', { name: /collapse/i }).click();
  await expect.poll(width).toBeLessThan(100);
  await page.reload();
  await expect.poll(width).toBeLessThan(100);
  await expect.poll(background).not.toBe(light);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: /menu/i }).first().click();
  await expect(page.getByRole('dialog').getByText('About')).toBeVisible();
});

test('with reduced motion nothing moves while a list loads', async ({ page }) => {
  await page.route('**/api/kapsule?withoutFields=true', () => undefined);
  await logInAs(page, own);
  await page.locator('.ant-skeleton-active').first().waitFor();
  await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
});

test('the alternative variant says data source, in green', async ({ page, alternative }) => {
  await logInAs(page, alternative);
  await expect(page.getByRole('heading', { name: 'Data sources', level: 1 })).toBeVisible();
  await expect(page.getByText(/kapsule/i)).toHaveCount(0);
  await expect(page.locator('.ant-btn-primary').first()).toHaveCSS('background-color', 'rgb(11, 122, 75)');
});
