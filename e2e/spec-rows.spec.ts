import { join } from 'node:path';
import { foldName, newId, openEmbeddedStore } from '@kaptain/store';
import type { Page } from '@playwright/test';
import rootPackage from '../package.json' with { type: 'json' };
import { startFilledService } from './fixtures/filled-service.ts';
import { PASSWORD, type RunningService } from './fixtures/service.ts';
import { expect, expectAbove, expectMessage, logInAs, openAs, test } from './fixtures/test.ts';

let own: RunningService;
let admin: ReturnType<RunningService['client']>;
test.beforeAll(async () => {
  own = await startFilledService({ settings: { settings: { apiKey: true } } });
  admin = own.client((await own.session('admin')).accessToken);
  const store = await openEmbeddedStore({ file: join(own.dataDir, 'kaptain.db') });
  const now = new Date().toISOString();
  await store.kapsules.insert({
    name: 'Elsewhere',
    nameKey: foldName('Elsewhere'),
    database: 'mysql',
    tableName: 'notes',
    table: 'Orders',
    keyField: 'Id',
    owner: 'admin',
    ownerId: '',
    fields: [{ _id: newId(), name: 'Comment', type: 'text' }],
    createdAt: now,
    updatedAt: now,
  });
  await store.close();
});
test.afterAll(() => own?.stop());

const row = (page: Page, text: string) => page.locator('tbody tr[data-row-key]').filter({ hasText: text });
const entries = (page: Page) => page.getByRole('navigation', { name: 'Main' }).locator('.ant-menu-item');
const kap = (name: string, content = '') => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    content ||
      JSON.stringify({
        format: 'kap',
        version: 1,
        kapsule: { name, keyField: 'Id', fields: [{ name: 'Comment', type: 'text' }] },
      }),
  ),
});

test('a USER has the menu of the specification, deletes what a group allows, and has no admin pages', {
  tag: '@full',
}, async ({ page }) => {
  const body = { username: 'uli', password: PASSWORD, role: 'USER', qlikId: 'CORP\\uli', isCreate: false };
  const { userId = '' } = await admin.users.create({ body: { ...body, role: 'USER' } });
  const users = [{ userid: userId, username: 'uli' }];
  const fields = [{ name: 'Comment', type: 'text' as const }];
  for (const [name, authority] of [
    ['Only read', ['READ']],
    ['Also deleted', ['READ', 'DELETE']],
  ] as const) {
    const { _id } = await admin.dataApi.createKapsule({ body: { name, keyField: 'Id', fields } });
    const kapsules = [{ kapsulecode: _id, kapsulename: name }];
    await admin.groups.create({ body: { groupname: name, authority: [...authority], kapsules, users } });
  }
  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    const isOpen = /^\/(auth\/login|app\/version|api\/user\/status)$/.test(pathname);
    if (/^\/(api|configuration|auth|app)\//.test(pathname) && !isOpen)
      calls.push(`${pathname} ${request.headers()['authorization']?.slice(0, 7)}`);
  });
  await logInAs(page, own, 'uli');
  await expect(entries(page)).toHaveText(['Kapsules', 'Logs', 'About']);
  await page.getByRole('button', { name: 'Account: uli' }).click();
  await expect(page.locator('.ant-dropdown').getByText('uli', { exact: true })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
  await page.keyboard.press('Escape');

  await expect(page.getByRole('button', { name: 'Delete Only read' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Delete Also deleted' }).click();
  const question = page.getByRole('dialog', { name: 'Are you sure to delete Also deleted?' });
  // Spec 4: only a kapsule of another database asks about its table.
  await expect(question.getByRole('checkbox')).toHaveCount(0);
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(row(page, 'Also deleted')).toHaveCount(0);
  await expect(row(page, 'Only read')).toHaveCount(1);
  for (const path of ['/program/logs', '/data/setting', '/system/status']) {
    await page.goto(own.url + path);
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  }
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.filter((call) => !call.endsWith(' Bearer '))).toEqual([]);
  expect(calls.filter((call) => call.startsWith('/configuration'))).toEqual([]);

  await logInAs(page, own);
  const first = async () => (await entries(page).allTextContents()).slice(0, 7);
  await expect
    .poll(first)
    .toEqual(['Kapsules', 'Logs', 'Users', 'Groups', 'Api Key', 'System Logs', 'Settings']);
});

test('a refused login is shown above the button, and both variants have their colour, logo and version', {
  tag: '@full',
}, async ({ page, alternative }) => {
  for (const [service, colour] of [
    [own, 'rgb(31, 95, 214)'],
    [alternative, 'rgb(11, 122, 75)'],
  ] as const) {
    await page.goto(`${service.url}/login`);
    await page.getByLabel('Username').fill('nobody');
    await page.getByLabel('Password', { exact: true }).fill('wrong password');
    const button = page.getByRole('button', { name: 'Log in' });
    await expect(button).toHaveCSS('background-color', colour);
    await button.click();
    const alert = page.getByRole('alert').filter({ hasText: 'Invalid username or password' });
    await expect(alert).toBeVisible();
    await expectAbove(alert, button);

    await openAs(page, service, '/about');
    await expect(page.getByRole('main').locator('svg').first()).toBeVisible();
    await expect(page.getByRole('main').getByText(`Version ${rootPackage.version}`)).toBeVisible();
    await page.route('**/app/version', (route) => route.abort());
    await page.reload();
    await expect(page.getByRole('main').getByText('unknown version')).toBeVisible();
    await page.unroute('**/app/version');
  }
});

test('only .kap files are accepted, a single failed one says why, and export, replace and delete ask first', {
  tag: '@full',
}, async ({ page }) => {
  await logInAs(page, own);
  const files = page.locator('input[type="file"]');
  await page.getByRole('button', { name: 'Add' }).click();
  await files.setInputFiles(kap('note.txt'));
  await expect(page.getByText('Only .kap files are accepted: note.txt')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start Upload' })).toBeDisabled();
  await files.setInputFiles(kap('broken.kap', 'not json'));
  await page.getByRole('button', { name: 'Start Upload' }).click();
  const failed = 'broken.kap import failed, log: This is not a .kap file.';
  await expectMessage(page, failed);
  await files.setInputFiles(kap('fine.kap'));
  await page.getByRole('button', { name: 'Start Upload' }).click();
  const results = page.getByRole('list', { name: 'Import results' });
  await expect(results.getByRole('listitem')).toHaveCount(2);
  // Spec 9: result lists scroll at 60vh.
  await expect(results).toHaveCSS('max-height', `${(page.viewportSize()?.height ?? 0) * 0.6}px`);
  await expect(results).toHaveCSS('overflow-y', 'auto');
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(page.locator('.ant-message-notice')).toHaveCount(0);

  await page.getByRole('button', { name: 'Replace Inventory from .kap' }).click();
  const replacement = page.getByRole('dialog', { name: 'Replace the structure of Inventory?' });
  await replacement.locator('input[type="file"]').setInputFiles(kap('broken.kap', 'not json'));
  await replacement.getByRole('button', { name: 'Replace', exact: true }).click();
  await expectMessage(page, failed);
  await replacement.getByRole('button', { name: 'Cancel' }).click();

  let tickets = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/download/ticket')) tickets++;
  });
  await page.getByRole('button', { name: 'Export Inventory' }).click();
  const asked = page.getByRole('dialog', { name: 'Are you sure to export Inventory?' });
  await asked.getByRole('button', { name: 'Cancel' }).click();
  await expect(asked).toBeHidden();
  expect(tickets).toBe(0);

  // Spec 4: the table in the customer's database is dropped only when the box is checked.
  const sent: unknown[] = [];
  await page.route('**/api/kapsule/sql', async (route) => {
    sent.push(route.request().postDataJSON());
    await route.fulfill({ json: { deleted: 1 } });
  });
  for (const isTicked of [false, true]) {
    await page.getByRole('button', { name: 'Delete Elsewhere' }).click();
    const question = page.getByRole('dialog', { name: 'Are you sure to delete Elsewhere?' });
    const box = question.getByRole('checkbox', { name: 'Delete table on mysql', exact: true });
    await expect(box).not.toBeChecked();
    if (isTicked) await box.check();
    await question.getByRole('button', { name: 'Yes' }).click();
    await expect(question).toBeHidden();
  }
  expect(sent).toEqual([
    { kapsuleIds: [expect.any(String)], deleteTable: false },
    { kapsuleIds: [expect.any(String)], deleteTable: true },
  ]);
});

test('granules are deleted only when selected, and the import warns against uploading company data', {
  tag: '@full',
}, async ({ page }) => {
  await logInAs(page, own);
  await page.getByRole('link', { name: 'Forecast', exact: true }).click();
  const remove = page.getByRole('button', { name: /^Delete Selection/ });
  await expect(remove).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Select K1' }).check();
  await expect(remove).toBeEnabled();
  const sent = page.waitForRequest('**/api/kapsule/sql/granules');
  await remove.click();
  await page.getByRole('button', { name: 'Yes' }).click();
  expect((await sent).postDataJSON()).toEqual({
    granuleIds: [expect.any(String)],
    sqlType: 'kaptaindb',
    tableName: 'kaptaindb',
  });
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Total Records2');
  await page.getByRole('button', { name: 'Import' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('Please do not upload company data.')).toBeVisible();
  await expect(dialog.locator('.ant-steps-item-title')).toHaveText([
    'File selection',
    'Uploading',
    'Results',
  ]);
});
