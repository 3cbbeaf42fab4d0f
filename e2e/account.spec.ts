import type { Page } from '@playwright/test';
import { codeOfStep, fromBase32, stepAt } from '../apps/service/src/identity/second-factor/totp.ts';
import { PASSWORD } from './fixtures/service.ts';
import {
  addUser,
  expect,
  expectAccessible,
  expectMessage,
  inDialog,
  logInAs,
  test,
} from './fixtures/test.ts';
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

const NEW_PASSWORD = 'another horse battery';
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });

async function choose(page: Page, username: string, entry: 'My account' | 'Logout') {
  await page.getByRole('button', { name: `Account: ${username}` }).click();
  await page.getByRole('menuitem', { name: entry }).click();
}

async function logInAgain(page: Page, username: string, password: string) {
  await choose(page, username, 'Logout');
  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

/** Says that the recovery codes are stored; returns one of them. */
async function storeCodes(page: Page): Promise<string> {
  const codes = dialog(page, 'Your recovery codes');
  await expect(codes.getByRole('listitem')).toHaveCount(10);
  const [first = ''] = await codes.getByRole('listitem').allTextContents();
  await expectAccessible(page, inDialog);
  await codes.getByLabel('I have stored the codes').check();
  await codes.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 of 10 left')).toBeVisible();
  return first;
}

test('my account changes the password, signs out elsewhere and adds a passkey, which the login asks for', {
  tag: '@full',
}, async ({ page, service }) => {
  await addUser(service, 'xaver');
  await logInAs(page, service, 'xaver');
  const elsewhere = service.client(await service.logIn('xaver'));
  await choose(page, 'xaver', 'My account');
  // An id that wraps on a small screen begins each line at the same place.
  const window = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const id = page.getByRole('region', { name: 'About you' }).locator('code');
  const lefts = await id.evaluate((code) => {
    const text = document.createRange();
    text.selectNodeContents(code);
    return Array.from(text.getClientRects(), ({ left }) => Math.round(left));
  });
  expect(new Set(lefts).size).toBe(1);
  if (window) await page.setViewportSize(window);
  await page.getByRole('button', { name: 'Sign out elsewhere' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expectMessage(page, 'You are signed out everywhere else.');
  await expect(elsewhere.kapsules.list()).rejects.toMatchObject({ status: 401 });

  const fill = async (current: string, again: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD);
    await page.getByLabel('New password again').fill(again);
    await page.getByRole('button', { name: 'Change password' }).click();
  };
  await fill('wrong password', 'something else');
  await expect(page.getByText('The two passwords that you entered do not match!')).toBeVisible();
  await fill('wrong password', NEW_PASSWORD);
  await expect(page.getByText(/The current password is not right/)).toBeVisible();
  await fill(PASSWORD, NEW_PASSWORD);
  await expectMessage(page, 'Your password is changed. All other sessions are ended.');
  await service.logIn('xaver', NEW_PASSWORD);

  // A passkey of this browser: it is asked for after the password from then on.
  const phone = await virtualAuthenticator(page);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page, 'Add passkey').getByLabel('Name of the passkey').fill('Work phone');
  await page.keyboard.press('Enter');
  await storeCodes(page);
  const passkeys = page.getByRole('list', { name: 'Passkeys' });
  await expect(passkeys.getByText('never used')).toBeVisible();
  await passkeys.getByRole('button', { name: 'Rename Work phone' }).click();
  await dialog(page, 'Rename passkey').getByLabel('Name of the passkey').fill('My phone');
  await page.keyboard.press('Enter');
  await expect(passkeys.getByText('My phone')).toBeVisible();

  await logInAgain(page, 'xaver', NEW_PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await choose(page, 'xaver', 'My account');
  await expect(passkeys.getByText('last used')).toBeVisible();
  await expectAccessible(page);
  // As if the login were older than 15 minutes: the passkey confirms the removal of itself.
  await page.route('**/passkeys/*', (route) => route.fulfill(needsProof), { times: 1 });
  await passkeys.getByRole('button', { name: 'Remove My phone' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await dialog(page, 'Confirm that it is you').getByRole('button', { name: 'Use a passkey' }).click();
  await expectMessage(page, 'The passkey is removed.');
  await expect(passkeys).toHaveCount(0);
  await phone.detach();
});

test('my account sets up an authenticator app; the login takes its codes, recovery codes, and a passkey beside it', {
  tag: '@full',
}, async ({ page, service }) => {
  await addUser(service, 'yvonne');
  await logInAs(page, service, 'yvonne');
  await choose(page, 'yvonne', 'My account');
  await page.getByRole('button', { name: 'Set up authenticator app' }).click();
  const setUp = dialog(page, 'Set up authenticator app');
  await expect(setUp.getByRole('img', { name: /QR code/ })).toBeVisible();
  await expectAccessible(page, inDialog);
  const secret = (await setUp.locator('code').textContent()) ?? '';
  const codeIn = (steps: number) => codeOfStep(fromBase32(secret), stepAt(Date.now()) + steps);
  await setUp.getByLabel('Code of the app').fill('000000');
  await page.keyboard.press('Enter');
  await expect(setUp.getByText(/This code is not right/)).toBeVisible();
  await setUp.getByLabel('Code of the app').fill(codeIn(0));
  await page.keyboard.press('Enter');
  const recovery = await storeCodes(page);
  for (const code of [codeIn(1), recovery]) {
    await logInAgain(page, 'yvonne', PASSWORD);
    await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/\/data\/kapsules$/);
  }
  const phone = await virtualAuthenticator(page);
  await choose(page, 'yvonne', 'My account');
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await dialog(page, 'Add passkey').getByLabel('Name of the passkey').fill('Work phone');
  await page.keyboard.press('Enter');
  await expectMessage(page, 'The passkey is added.');
  await logInAgain(page, 'yvonne', PASSWORD);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await phone.detach();
});
