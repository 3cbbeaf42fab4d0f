import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService, ServiceOptions } from './fixtures/service.ts';
import {
  complete,
  field,
  openSettings,
  saveAndRefresh,
  section,
  submit,
  submitAndConfirm,
} from './fixtures/settings-page.ts';
import { expect, expectMessage, test } from './fixtures/test.ts';

let own: RunningService;
const start = async (options?: ServiceOptions) => {
  own = await startFilledService({ ...options, isSupervised: true });
};
test.afterEach(() => own.stop());

test('a save asks for confirmation, reloads when the service answers again, and keeps the input when refused', async ({
  page,
}) => {
  await start();
  await openSettings(page, own);
  await field(page, 'API Key').click();
  await submitAndConfirm(page, 'Cancel');
  await expect(page.getByText('1 unsaved change')).toBeVisible();

  await page.route('**/update/info', (route) =>
    route.fulfill({ status: 507, json: { message: 'The disk is full.' } }),
  );
  await submitAndConfirm(page);
  await expectMessage(page, 'Error saving!');
  await expect(section(page, 'Submit').getByRole('alert')).toHaveText('The disk is full.');
  await expect(field(page, 'API Key')).toBeChecked();
  await page.unroute('**/update/info');

  // The service does not answer the first two calls after its restart.
  let asked = 0;
  await page.route('**/app/version', (route) => (++asked < 3 ? route.abort() : route.continue()));
  const sent = page.waitForRequest('**/update/info');
  const restarted = page.waitForRequest('**/restart/service');
  await saveAndRefresh(page, () => submitAndConfirm(page));
  expect((await sent).headers()['if-match']).toMatch(/^"\d+"$/);
  expect((await sent).postDataJSON()).toMatchObject({ settings: { apiKey: true, qlikHost: 'CERT' } });
  expect(Object.keys((await sent).postDataJSON() as object)).not.toContain('temporary');
  await restarted;
  expect(asked).toBeGreaterThanOrEqual(3);
  await page.unroute('**/app/version');
  await expect(field(page, 'API Key')).toBeChecked();
  await expect(page.getByRole('menuitem', { name: 'Api Key' })).not.toHaveAttribute('aria-disabled', 'true');

  // Another admin saves first.
  const other = own.client((await own.session('admin')).accessToken);
  const { generation: _, ...now } = await other.settings.get();
  await other.settings.update({ body: { ...now, system: { logLevel: 'warn' } } as never });
  await field(page, 'API Key').click();
  await submitAndConfirm(page);
  const conflict = page.getByRole('dialog', { name: 'The settings have changed meanwhile' });
  await conflict.getByRole('button', { name: 'Keep editing' }).click();
  await expect(field(page, 'API Key')).not.toBeChecked();
  await submitAndConfirm(page);
  await conflict.getByRole('button', { name: 'Load the new settings' }).click();
  await expect(section(page, 'Logs')).toContainText('warn');
  await expect(field(page, 'API Key')).toBeChecked();
  await expect(page.getByText('No unsaved changes')).toBeVisible();
});

test('a secret is shown as set, kept, replaced and cleared, and asked for again when its target changes', {
  tag: '@full',
}, async ({ page }) => {
  const postgresql = {
    POSTGRE_SERVER: 'db.example.com',
    POSTGRE_PORT: 5432,
    POSTGRE_USER: 'kaptain',
    POSTGRE_DATABASE: 'notes',
    POSTGRE_PASSWORD: 'canary-password',
  };
  await start({ settings: { ...complete, postgresql } });
  const bodies: string[] = [];
  page.on(
    'response',
    (response) =>
      void response.text().then(
        (text) => bodies.push(text),
        () => undefined,
      ),
  );
  await openSettings(page, own);
  const source = page.getByRole('article', { name: 'PostgreSQL' });
  const password = source.getByLabel('Password');
  await expect(password).toHaveValue('');
  await expect(password).toHaveAttribute('placeholder', '•••••••• (set)');
  await source.getByRole('button', { name: 'Clear' }).click();
  await expect(password).toHaveAttribute('placeholder', 'Will be cleared');
  await source.getByRole('button', { name: 'Keep' }).click();
  await expect(page.getByText('No unsaved changes')).toBeVisible();

  await source.getByLabel('Server').fill('evil.example.com');
  await submitAndConfirm(page);
  await expectMessage(page, 'Error saving!');
  await expect(source.locator('.ant-form-item-explain')).toHaveText('Please enter the password again');
  await expect(password).toBeFocused();
  await password.fill('another canary');
  const sent = page.waitForRequest('**/update/info');
  await submit(page);
  const asked = page.getByRole('dialog', { name: 'Are you sure to save the settings?' });
  await expect(asked).toContainText('a new value');
  await expect(asked).not.toContainText('another canary');
  await saveAndRefresh(page, () => asked.getByRole('button', { name: 'Yes' }).click());
  expect((await sent).postDataJSON()).toMatchObject({ postgresql: { POSTGRE_PASSWORD: 'another canary' } });
  await expect(source.getByLabel('Server')).toHaveValue('evil.example.com');
  expect(bodies.join()).not.toContain('canary');

  // The connection test uses the unsaved values of the form.
  await source.getByLabel('Server').fill('127.0.0.1');
  await source.getByLabel('Port').fill('1');
  await source.getByRole('button', { name: 'Test connection: PostgreSQL' }).click();
  await expect(source.locator('.ant-form-item-explain')).toHaveText('Please enter the password again');
  await password.fill('x');
  await source.getByRole('button', { name: 'Test connection: PostgreSQL' }).click();
  await expect(source.getByRole('status')).toContainText('Refused');
});
