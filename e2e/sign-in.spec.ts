import { CLIENT, startProvider } from '../apps/service/src/testing/provider.ts';
import { expect, expectAccessible, test } from './fixtures/test.ts';

test('people sign in with the provider of the company, beside the form', async ({ page, service }) => {
  await using provider = await startProvider([service.url]);
  provider.is({ sub: 'sub-paula', preferred_username: 'paula of corp', groups: ['staff'] });
  const admin = service.client((await service.session('admin')).accessToken);
  const before = await admin.settings.get();
  const save = (block: object) =>
    admin.settings.update({ body: { ...before, provider: block } as unknown as { settings: object } });
  const block = {
    enabled: true,
    name: 'Example Corp',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: 'openid profile groups offline_access',
    userValues: 'staff',
  };
  await save(block);

  await page.goto(`${service.url}/login`);
  await expect(page.getByLabel('Username')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Sign in with Example Corp' }).click();
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await page.getByRole('button', { name: 'Account: paula of corp' }).click();
  await page.getByRole('menuitem', { name: 'My account' }).click();
  await expect(page.getByText('This session')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Change password' })).toHaveCount(0);

  // A link with a code of another person opens no session in this browser.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${service.url}/login#sign-in=${'c'.repeat(43)}`);
  await expect(page.getByText(/sign in again/)).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await save({ ...block, enabled: false, clientSecret: '********' });
});
