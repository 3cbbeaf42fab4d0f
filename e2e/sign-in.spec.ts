import { CLIENT, startProvider } from '../apps/service/src/testing/provider.ts';
import { expect, expectAccessible, test } from './fixtures/test.ts';

test('people sign in with the provider of the company, beside the form', { tag: '@full' }, async ({
  page,
  service,
}) => {
  await using provider = await startProvider([service.url]);
  provider.is({ sub: 'sub-paula', preferred_username: 'paula of corp', groups: ['staff'] });
  const admin = service.client((await service.session('admin')).accessToken);
  const before = await admin.settings.get();
  const save = (block: object, settings = {}) =>
    admin.settings.update({
      body: { ...before, settings: { ...before.settings, ...settings }, provider: block } as unknown as {
        settings: object;
      },
    });
  const block = {
    enabled: true,
    name: 'Example Corp',
    issuer: provider.issuer,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    scopes: 'openid profile groups offline_access',
    adminValues: 'staff',
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

  // A sensitive action asks again: the person signs in at the provider in a window, and the form goes on as it is.
  await page.goto(`${service.url}/data/apikey`);
  await page.getByRole('button', { name: 'Create Api Key' }).click();
  const form = page.getByRole('dialog', { name: 'Create Api Key' });
  await form.getByLabel('Name').fill('after a new proof');
  await form.getByRole('button', { name: 'Generate' }).click();
  await expect(form.getByLabel('API key')).not.toHaveValue('');
  const asked = {
    statusCode: 403,
    code: 'PROOF_NEEDED',
    message: 'Please confirm that it is you.',
    requestId: 'r',
    details: { methods: ['signIn'] },
  };
  // Only the time of the last proof is not real: 15 minutes have not passed.
  await page.route('**/api/privatekey/create', (route) => route.fulfill({ status: 403, json: asked }), {
    times: 1,
  });
  await form.getByRole('button', { name: /Create$/ }).click();
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' });
  const again = question.getByRole('button', { name: 'Sign in with Example Corp' });
  await expect(again).toBeFocused();
  const opening = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  const opened = await opening;
  if (!opened.isClosed()) await opened.waitForEvent('close');
  await expect(question).toBeHidden();
  await expect(page.getByRole('cell', { name: 'after a new proof', exact: true })).toBeVisible();

  // The window of the extension has the same button, and hands its code to the page that has opened it.
  await save({ ...block, clientSecret: '********' }, { corsAllowOrigins: [service.url] });
  const [kapsule] = await admin.kapsules.list();
  const query = {
    origin: service.url,
    kapsules: String(kapsule?._id),
    challenge: 'c'.repeat(43),
    state: 's'.repeat(43),
  };
  const windowOf = page.context().waitForEvent('page');
  const told = page.evaluate(
    (address) =>
      new Promise((resolve) => {
        addEventListener('message', ({ data }) => resolve(data));
        open(address);
      }),
    `/extension/sign-in?${new URLSearchParams(query)}`,
  );
  const signInWindow = await windowOf;
  await expectAccessible(signInWindow);
  await signInWindow.getByRole('button', { name: 'Sign in with Example Corp' }).click();
  expect(await told).toMatchObject({ type: 'kaptain-sign-in', code: expect.any(String), state: query.state });

  // A link with a code of another person opens no session in this browser.
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(`${service.url}/login#sign-in=${'c'.repeat(43)}`);
  await expect(page.getByText(/sign in again/)).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await save({ ...block, enabled: false, clientSecret: '********' });
});
