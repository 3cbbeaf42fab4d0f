import { readFile } from 'node:fs/promises';
import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService, ServiceOptions } from './fixtures/service.ts';
import {
  certificate,
  complete,
  field,
  fieldMessage,
  openSettings,
  SAVED,
  saveAndRefresh,
  section,
  submitAndConfirm,
  upload,
} from './fixtures/settings-page.ts';
import { expect, expectMessage, logInThroughForm, test } from './fixtures/test.ts';

let own: RunningService;
const start = async (options?: ServiceOptions) => {
  own = await startFilledService({ ...options, isSupervised: true });
};
test.afterEach(() => own.stop());

test('a configuration is exported, imported after showing the differences, and reverted from the history', {
  tag: '@full',
}, async ({ page }) => {
  await start({ settings: complete });
  await openSettings(page, own);
  await page.getByRole('button', { name: 'Export' }).click();
  const exporting = page.getByRole('dialog', { name: 'Export the configuration' });
  await exporting.getByText('Include them').click();
  await exporting.getByLabel('Passphrase', { exact: true }).fill('short');
  await exporting.getByRole('button', { name: 'Export' }).click();
  await expect(exporting.getByText('Please use at least 8 characters as password!')).toBeVisible();
  await exporting.getByLabel('Passphrase', { exact: true }).fill('long enough');
  const download = page.waitForEvent('download');
  await exporting.getByRole('button', { name: 'Export' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^kaptain-configuration-\d{4}-\d\d-\d\d\.json$/);
  const exported = {
    name: file.suggestedFilename(),
    mimeType: '',
    buffer: await readFile(await file.path()),
  };

  const admin = own.client((await own.session('admin')).accessToken);
  const { generation: _, ...now } = await admin.settings.get();
  await admin.settings.update({ body: { ...now, system: { logLevel: 'error' } } as never });
  await page.reload();
  await expect(page.getByText('The saved settings wait for a restart')).toBeVisible();

  await page.getByRole('button', { name: 'Import' }).click();
  const importing = page.getByRole('dialog', { name: 'Import a configuration' });
  const [fileField, compare] = [
    importing.locator('input[type=file]'),
    importing.getByRole('button', { name: 'Compare' }),
  ];
  await fileField.setInputFiles({
    name: 'other.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  });
  await expect(importing.getByText('This is not an exported configuration.')).toBeVisible();
  await fileField.setInputFiles(exported);
  await importing.getByLabel(/^Passphrase of the export/).fill('wrong passphrase');
  await compare.click();
  await expect(importing.getByRole('alert')).toBeVisible();
  await importing.getByLabel(/^Passphrase of the export/).fill('long enough');
  await compare.click();
  const line = importing.getByRole('row').filter({ hasText: 'Log level' });
  await expect(line).toContainText('error');
  await expect(line).toContainText('info');
  await saveAndRefresh(page, () => importing.getByRole('button', { name: 'Import and restart' }).click());
  await expect(section(page, 'Logs')).toContainText('info');

  await page.getByRole('button', { name: 'History' }).click();
  const history = page.getByRole('list', { name: 'Saved settings, newest first' });
  const earlier = history.locator('> li').filter({ hasText: 'Logs: Log level' }).nth(1);
  await expect(earlier).toContainText('admin');
  await earlier.getByRole('button', { name: /^Return to version/ }).click();
  const back = page.getByRole('dialog', { name: /^Are you sure to return to version/ });
  await expect(back.getByRole('row').filter({ hasText: 'Log level' })).toContainText('error');
  await saveAndRefresh(page, () => back.getByRole('button', { name: 'Yes' }).click());
  await expect(section(page, 'Logs')).toContainText('error');
});

test('the service switches to https with matching certificates, back to http, and by a restart to what was saved before', {
  tag: '@full',
}, async ({ page }) => {
  await start({ settings: complete });
  await openSettings(page, own);
  await field(page, 'HTTPS').click();
  const junk = (name: string) => ({ name, mimeType: '', buffer: Buffer.from('junk') });
  const file = (label: string) => upload(page, label).locator('input[type=file]');
  await file('Server PEM').setInputFiles(junk('note.txt'));
  await expectMessage(page, 'Only .pem files are accepted: note.txt');
  await file('Server PEM').setInputFiles(junk('server.pem'));
  await expectMessage(page, 'This is not a certificate in PEM format.');
  await file('Server PEM').setInputFiles(certificate('server.pem'));
  await expectMessage(page, 'Uploaded successfully!');
  await expect(upload(page, 'Server PEM').getByRole('img', { name: 'Uploaded' })).toBeVisible();
  await expect(upload(page, 'Server PEM')).toContainText('server.pem');

  await file('Server Key PEM').setInputFiles(certificate('other_key.pem'));
  await expect(upload(page, 'Server Key PEM').getByRole('img', { name: 'Uploaded' })).toBeVisible();
  await submitAndConfirm(page);
  await expectMessage(page, 'Error saving!');
  await expect(fieldMessage(page, 'The server key does not belong to the server certificate.')).toBeVisible();
  const replaced = page.waitForResponse((response) => response.url().endsWith('/upload/file/server_key.pem'));
  await file('Server Key PEM').setInputFiles(certificate('server_key.pem'));
  await replaced;
  await Promise.all([expectMessage(page, SAVED), submitAndConfirm(page)]);

  const secure = own.url.replace('http:', 'https:');
  // A session belongs to one origin, so a new login is needed.
  await page.waitForURL(`${secure}/login`);
  const secured = { ...own, url: secure };
  await logInThroughForm(page, secured);
  await page.goto(`${secure}/data/setting`);
  await expect(field(page, 'HTTPS')).toBeChecked();
  await expect(upload(page, 'Server Key PEM').getByRole('img', { name: 'Uploaded' })).toBeVisible();

  await field(page, 'Use PFX certificate').check();
  await file('Server PFX').setInputFiles(certificate('server.pfx'));
  await expect(upload(page, 'Server PFX')).toContainText('server.pfx');
  await field(page, 'PFX Password').fill('wrong');
  await submitAndConfirm(page);
  await expect(fieldMessage(page, 'The PFX password does not fit the PFX file.')).toBeVisible();
  await field(page, 'HTTPS').click();
  await submitAndConfirm(page);
  // The session of the first origin is still in this tab.
  await page.waitForURL(`${own.url}/data/setting`);
  await expect(field(page, 'HTTPS')).not.toBeChecked();
  await expect(page.getByText('rolled back')).toBeHidden();

  // Another client of the ADMIN saves settings that wait for a restart.
  const admin = own.client((await own.session('admin')).accessToken);
  const { generation: _, ...now } = await admin.settings.get();
  const settings = { ...now.settings, https: true, usePfxCertificate: false };
  await admin.settings.update({ body: { ...now, settings } as never });
  await page.reload();
  await page.getByRole('button', { name: 'Restart now' }).click();
  await page.waitForURL(`${secure}/**`);
});
