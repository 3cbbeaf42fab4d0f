import { codeOfStep, fromBase32, stepAt } from '../apps/service/src/security/totp.ts';
import { PASSWORD } from './fixtures/service.ts';
import { expect, expectAccessible, logInAs, test } from './fixtures/test.ts';
import { virtualAuthenticator } from './fixtures/virtual-authenticator.ts';

const needsProof = {
  status: 403,
  json: {
    statusCode: 403,
    code: 'PROOF_NEEDED',
    message: 'Please confirm that it is you.',
    requestId: 'r',
    details: { methods: ['passkey', 'code'] },
  },
};

test('my account changes the password, signs out elsewhere and sets up an app and a passkey', async ({
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
  const openAccount = async () => {
    await page.getByRole('button', { name: 'Account: xaver' }).click();
    await page.getByRole('menuitem', { name: 'My account' }).click();
  };
  await openAccount();
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
  await expect(setUp.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page);
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

  const logInAgain = async () => {
    await page.getByRole('button', { name: 'Account: xaver' }).click();
    await page.getByRole('menuitem', { name: 'Logout' }).click();
    await page.getByLabel('Username').fill('xaver');
    await page.getByLabel('Password', { exact: true }).fill('another horse battery');
    await page.keyboard.press('Enter');
  };
  for (const code of [codeIn(1), recovery]) {
    await logInAgain();
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/data\/kapsules$/);
  }

  // A passkey of this browser does as well.
  const phone = await virtualAuthenticator(page);
  await openAccount();
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog('Add passkey').getByLabel('Name of the passkey').fill('Work phone');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The passkey is added.')).toBeVisible();
  const passkeys = page.getByRole('list', { name: 'Passkeys' });
  await expect(passkeys.getByText('never used')).toBeVisible();
  await passkeys.getByRole('button', { name: 'Rename Work phone' }).click();
  await dialog('Rename passkey').getByLabel('Name of the passkey').fill('My phone');
  await page.keyboard.press('Enter');
  await expect(passkeys.getByText('My phone')).toBeVisible();

  await logInAgain();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await openAccount();
  await expect(passkeys.getByText('last used')).toBeVisible();
  await expectAccessible(page);
  // As if the login were older than 15 minutes: the passkey confirms the removal of itself.
  await page.route('**/passkeys/*', (route) => route.fulfill(needsProof), { times: 1 });
  await passkeys.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await dialog('Confirm that it is you').getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page.getByText('The passkey is removed.')).toBeVisible();
  await expect(passkeys).toHaveCount(0);
  await phone.detach();
});
