import { codeOfStep, fromBase32, stepAt } from '../apps/service/src/security/totp.ts';
import { PASSWORD } from './fixtures/service.ts';
import { expect, expectAccessible, logInAs, test } from './fixtures/test.ts';

test('my account changes the password, signs out elsewhere and sets up a second factor', async ({
  page,
  service,
}) => {
  const dialog = (title: string) => page.getByRole('dialog', { name: title });
  const admin = service.client((await service.session('admin')).accessToken);
  const user = {
    username: 'xaver',
    password: PASSWORD,
    role: 'USER' as const,
    qlikId: 'CORP\\xaver',
    isCreate: true,
  };
  await admin.users.create({ body: user });
  await logInAs(page, service, 'xaver');
  const elsewhere = service.client(await service.logIn('xaver'));
  await page.getByRole('button', { name: 'Account: xaver' }).click();
  await page.getByRole('menuitem', { name: 'My account' }).click();
  await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('You are signed out everywhere else.')).toBeVisible();
  await expect(elsewhere.kapsules.list()).rejects.toMatchObject({ status: 401 });

  const fill = async (current: string, again: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill('another horse battery');
    await page.getByLabel('New password again').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill('wrong password', 'something else');
  await expect(page.getByText('The two passwords that you entered do not match!')).toBeVisible();
  await fill('wrong password', 'another horse battery');
  await expect(page.getByText(/The current password is not right/)).toBeVisible();
  await fill(PASSWORD, 'another horse battery');
  await expect(page.getByText('Your password is changed. All other sessions are ended.')).toBeVisible();
  await service.logIn('xaver', 'another horse battery');

  // A second factor: the code is asked for after the password from then on.
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const setUp = dialog('Set up authenticator app');
  await expect(setUp.getByRole('img', { name: /QR code/ }).locator('svg')).toBeVisible();
  const secret = (await setUp.locator('code').textContent()) ?? '';
  const codeIn = (steps: number) => codeOfStep(fromBase32(secret), stepAt(Date.now()) + steps);
  await setUp.getByLabel('Code of the app').fill('000000');
  await page.keyboard.press('Enter');
  await expect(setUp.getByText(/This code is not right/)).toBeVisible();
  await setUp.getByLabel('Code of the app').fill(codeIn(0));
  await page.keyboard.press('Enter');
  const codes = dialog('Your recovery codes');
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [recovery = ''] = await codes.getByRole('listitem').allTextContents();
  await expectAccessible(page);
  await codes.getByLabel('I have stored the codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();

  for (const code of [codeIn(1), recovery]) {
    await page.getByRole('button', { name: 'Account: xaver' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByLabel('Username').fill('xaver');
    await page.getByLabel('Password', { exact: true }).fill('another horse battery');
    await page.keyboard.press('Enter');
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/data\/kapsules$/);
  }
});
