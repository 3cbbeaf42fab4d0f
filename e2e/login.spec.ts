import { PASSWORD } from './fixtures/service.ts';
import { expect, logInThroughForm, openAs, test } from './fixtures/test.ts';

test('a protected page without a token redirects to the login; it shows its rules, a refusal and the version', async ({
  page,
  service,
}) => {
  await page.goto(`${service.url}/data/kapsules`);
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText(/0\.1\.0/)).toBeVisible();
  await page.getByRole('button', { name: 'Log in' }).click();
  await expect(page.getByText('Please input your Username!')).toBeVisible();
  await expect(page.getByText('Please input your Password!')).toBeVisible();

  await page.getByLabel('Username').fill('nobody');
  await page.getByLabel('Password', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Log in' }).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Invalid username or password' });
  await expect(alert).toBeVisible();
  await expect(page).toHaveURL(/\/login/);
  await alert.getByRole('button').click();
  await expect(alert).toBeHidden();

  await page.route('**/app/version', (route) => route.abort());
  await page.goto(`${service.url}/login`);
  await expect(page.getByText('unknown version')).toBeVisible();
});

test('a missing stored user clears the token and redirects to the login', async ({ page, service }) => {
  await logInThroughForm(page, service);
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage))
      if (sessionStorage.getItem(key)?.includes('"username"')) sessionStorage.removeItem(key);
  });
  await page.goto(`${service.url}/about`);
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
});

test('any 401 clears the token and redirects to the login', { tag: '@full' }, async ({ page, service }) => {
  await logInThroughForm(page, service);
  // Its own calls are answered: one of them would end the session before the page is loaded again.
  await expect(page.getByRole('link', { name: 'Inventory', exact: true })).toBeVisible();
  await page.route('**/api/kapsule?withoutFields=true', (route) =>
    route.fulfill({ status: 401, json: { message: 'expired' } }),
  );
  await page.reload();
  await expect(page).toHaveURL(/\/login/);
  await expect.poll(() => page.evaluate(() => sessionStorage.length)).toBe(0);
  await expect(page.getByText('Your session has ended')).toBeVisible();
  await page.unroute('**/api/kapsule?withoutFields=true');

  // A text being typed when a session ends is there again after the login.
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Groups' }).click();
  await page.getByRole('button', { name: 'Create Group' }).click();
  await page.getByRole('textbox', { name: 'Group name' }).fill('Typed before the end');
  const token = await page.evaluate(() => sessionStorage.getItem('kaptain.token') ?? '');
  await service.client(token).session.logout();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/what you have entered is kept/)).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page).toHaveTitle('Log in · Kaptain');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/system\/groups$/);
  await expect(page.getByRole('textbox', { name: 'Group name' })).toHaveValue('Typed before the end');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('cell', { name: 'Typed before the end', exact: true })).toBeVisible();
});

test('a login works with the keyboard alone', async ({ page, service }) => {
  await page.goto(`${service.url}/login`);
  await expect(page.getByLabel('Username')).toBeFocused();
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type('correct horse battery');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/data\/kapsules$/);
});

test('a session that ends behind a dialog in motion is resumed by the next login', { tag: '@full' }, async ({
  page,
  service,
}) => {
  await openAs(page, service, '/system/groups');
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.getByRole('button', { name: 'Create Group' }).click();
  const name = page.getByRole('textbox', { name: 'Group name' });
  await expect(name).toBeFocused();
  await name.fill('Typed in motion');
  await page.route('**/api/group/create', (route) =>
    route.fulfill({ status: 401, json: { message: 'expired' } }),
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveTitle('Log in · Kaptain');
  await page.unroute('**/api/group/create');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(name).toHaveValue('Typed in motion');
  await name.press('Enter');
  await expect(page.getByRole('cell', { name: 'Typed in motion', exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toBeHidden();
});
