import { codeOfStep, fromBase32, stepAt } from '../apps/service/src/identity/second-factor/totp.ts';
import { Authenticator } from '../apps/service/src/testing/authenticator.ts';
import { PASSWORD } from './fixtures/service.ts';
import { expect, expectAccessible, test } from './fixtures/test.ts';
import { virtualAuthenticator } from './fixtures/virtual-authenticator.ts';

const SHEET = 'http://sheet.example';

test('the window of the extension asks for a code or a passkey', async ({ browser, service }) => {
  const admin = service.client((await service.session('admin')).accessToken);
  const before = await admin.settings.get();
  const allow = (corsAllowOrigins: string[]) =>
    admin.settings.update({
      body: { ...before, settings: { ...before.settings, corsAllowOrigins } } as unknown as {
        settings: object;
      },
    });
  await allow([SHEET]);
  const account = { username: 'wilma', password: PASSWORD };
  await admin.users.create({ body: { ...account, role: 'ADMIN', qlikId: 'CORP\\wanda', isCreate: true } });
  const { secondFactor } = service.client(await service.logIn('wilma'));
  const phone = new Authenticator();
  const passkey = phone.create(await secondFactor.startPasskey(), { origin: service.url });
  await secondFactor.confirmPasskey({ body: { name: 'Phone', passkey } });
  const [kapsule] = await admin.kapsules.list();

  const context = await browser.newContext();
  await context.route(`${SHEET}/`, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<title>Sheet</title>' }),
  );
  const sheet = await context.newPage();
  await sheet.goto(`${SHEET}/`);
  const query = new URLSearchParams({
    origin: SHEET,
    kapsules: kapsule?._id ?? '',
    challenge: 'c'.repeat(43),
    state: 's'.repeat(43),
  });
  /** The window after the password; `handed` is what the page gets from it. */
  const openWindow = async () => {
    const opening = sheet.waitForEvent('popup');
    await sheet.evaluate((url) => {
      addEventListener('message', ({ data }) => Object.assign(window, { handed: data }));
      window.open(url, 'sign-in', 'popup');
    }, `${service.url}/extension/sign-in?${query}`);
    const popup = await opening;
    await popup.getByLabel('Username').fill('wilma');
    await popup.getByLabel('Password').fill(PASSWORD);
    // The script of the window enables its button; before that Enter does nothing.
    await expect(popup.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
    await popup.keyboard.press('Enter');
    return popup;
  };
  const expectHanded = async () => {
    await sheet.waitForFunction(() => 'handed' in window);
    const handed = await sheet.evaluate(() => (window as unknown as { handed: unknown }).handed);
    expect(handed).toMatchObject({
      type: 'kaptain-sign-in',
      code: expect.any(String),
      state: 's'.repeat(43),
    });
    await sheet.reload();
  };

  // A passkey is the only factor: it is offered first, with the keyboard too.
  const first = await openWindow();
  const closed = first.waitForEvent('close');
  await expect(first.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await expect(first.getByLabel('Recovery code')).toBeVisible();
  await expectAccessible(first);
  await virtualAuthenticator(first, phone);
  await first.keyboard.press('Enter');
  await closed;
  await expectHanded();

  // Beside an app, its code is asked for; a wrong one can be corrected.
  const { setup, secret } = await secondFactor.startTotp();
  const codeIn = (steps: number) => codeOfStep(fromBase32(secret), stepAt(Date.now()) + steps);
  await secondFactor.confirmTotp({ body: { setup, code: codeIn(0) } });
  const second = await openWindow();
  const code = second.getByLabel('Code of your authenticator app, or a recovery code');
  await expect(code).toBeFocused();
  await code.fill('000000');
  await second.keyboard.press('Enter');
  await expect(second.getByText(/This code is not right/)).toBeVisible();
  await code.fill(codeIn(1));
  await second.keyboard.press('Enter');
  await expectHanded();
  await context.close();
  await allow([]);
});
