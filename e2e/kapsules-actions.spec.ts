import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startFilledService } from './fixtures/filled-service.ts';
import { PASSWORD, type RunningService } from './fixtures/service.ts';
import { expect, expectAccessible, expectMessage, inDialog, logInAs, test } from './fixtures/test.ts';

let filled: RunningService;
test.beforeAll(async () => {
  filled = await startFilledService();
});
test.afterAll(() => filled?.stop());

const kap = (name: string, fields: object[] = [{ name: 'Comment', type: 'text' }]) => ({
  name: `${name}.kap`,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    JSON.stringify({ format: 'kap', version: 1, kapsule: { name, table: 'T', keyField: 'Id', fields } }),
  ),
});
const rows = (page: Page) => page.locator('tbody tr[data-row-key]');
const choose = (page: Page, files: ReturnType<typeof kap> | ReturnType<typeof kap>[]) =>
  page.locator('input[type="file"]').setInputFiles(files);

test('many .kap files become kapsules, each with its own result line; a single file shows a message', async ({
  page,
}) => {
  await logInAs(page, filled);
  await page.getByRole('button', { name: 'Add' }).click();
  await expect(page.getByRole('button', { name: 'Start Upload' })).toBeDisabled();
  const broken = { ...kap('broken'), buffer: Buffer.from('not json') };
  await choose(page, [kap('First new'), broken]);
  await page.getByRole('button', { name: 'Start Upload' }).click();
  const results = page.getByRole('list', { name: 'Import results' });
  await expect(results.getByText('First new.kap import successfully')).toBeVisible();
  await expect(results.getByText('broken.kap import failed, log: This is not a .kap file.')).toBeVisible();
  await expectAccessible(page, inDialog);
  await page.getByRole('button', { name: 'Close' }).last().click();
  await expect(rows(page).filter({ hasText: 'First new' })).toHaveCount(1);

  await page.getByRole('button', { name: 'Add' }).click();
  await choose(page, kap('Second new'));
  await page.getByRole('button', { name: 'Start Upload' }).click();
  await expectMessage(page, 'Second new.kap import successfully');
});

test('an exported structure is the one that was imported', async ({ page }) => {
  await logInAs(page, filled);
  await page.getByRole('button', { name: 'Export Inventory' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Yes' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Inventory.kap');
  const content: unknown = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(content).toMatchObject({
    format: 'kap',
    version: 1,
    kapsule: { name: 'Inventory', table: 'StockTable', fields: [{ name: 'Comment', type: 'text' }] },
  });
  // The download does not navigate away.
  await expect(page).toHaveURL(/\/data\/kapsules$/);
});

test('a replacement shows the difference first and alters no data', async ({ page }) => {
  await logInAs(page, filled);
  await page.getByRole('button', { name: 'Replace Budget notes from .kap' }).click();
  await expect(page.getByText('Only the structure changes. No data is altered.')).toBeVisible();
  await choose(
    page,
    kap('next', [
      { name: 'Comment', type: 'list' },
      { name: 'Amount', type: 'number' },
    ]),
  );
  const changes = page.getByRole('region', { name: 'What changes' }).getByRole('row');
  await expect(changes.filter({ hasText: 'Retyped' })).toContainText('Comment');
  await expect(changes.filter({ hasText: 'Added' })).toContainText('Amount');
  await expectAccessible(page, inDialog);
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await expectMessage(page, 'next.kap import successfully');
  await expect(rows(page).filter({ hasText: 'Budget notes' })).toContainText('250');
});

test('a selection is deleted after a confirmation that names it, and restored under another name', {
  tag: '@full',
}, async ({ page }) => {
  const admin = filled.client((await filled.session('admin')).accessToken);
  for (const name of ['Gone one', 'Gone two'])
    await admin.dataApi.createKapsule({
      body: { name, keyField: 'Id', fields: [{ name: 'Comment', type: 'text' }] },
    });
  await logInAs(page, filled);
  await expect(page.getByRole('button', { name: 'Delete Selection' })).toBeDisabled();
  await page.getByRole('checkbox', { name: 'Select Gone one' }).check();
  await page.getByRole('checkbox', { name: 'Select Gone two' }).check();
  await page.getByRole('button', { name: 'Delete Selection (2)' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Gone one');
  // Enter activates the safe button.
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Yes' }).click();
  await expectMessage(page, '2 kapsules are deleted.');
  await expect(rows(page).filter({ hasText: 'Gone' })).toHaveCount(0);

  // A new one takes the name of a deleted one.
  await page.getByRole('button', { name: 'Create' }).click();
  const form = page.getByRole('dialog', { name: 'Create kapsule' });
  await form.getByLabel('Name', { exact: true }).fill('Gone one');
  await expectAccessible(page, inDialog);
  await form.getByLabel('Key field').fill('Id');
  await form.getByLabel('Name of field 1').fill('Comment');
  await form.getByLabel('Name of field 1').press('Enter');
  await expect(page.getByRole('heading', { name: 'Gone one' })).toBeVisible();
  const hub = page.getByRole('region', { name: 'About this kapsule' });
  await expect(hub).toContainText('No schedule');

  await page.getByRole('menuitem', { name: 'Kapsules' }).click();
  await page.getByRole('button', { name: 'Deleted (2)' }).click();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Restore Gone one' }).click();
  await page.getByLabel('New name of Gone one').fill('Back again');
  await page.getByRole('button', { name: 'Restore under this name' }).click();
  await expect(rows(page).filter({ hasText: 'Back again' })).toHaveCount(1);
  await page.getByRole('button', { name: 'Deleted (1)' }).click();
  await page.getByRole('button', { name: 'Delete for good: Gone two' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expectMessage(page, 'Gone two is deleted for good.');
});

test('a user without the permission is told which kapsules could not be deleted', async ({ page }) => {
  const admin = filled.client((await filled.session('admin')).accessToken);
  await admin.users.create({
    body: { username: 'rita', password: PASSWORD, role: 'USER', qlikId: 'CORP\\rita', isCreate: false },
  });
  const rita = (await admin.users.list()).data.find(({ username }) => username === 'rita');
  const forecast = (await admin.kapsules.list()).find(({ name }) => name === 'Forecast');
  await admin.groups.create({
    body: {
      groupname: 'Readers',
      authority: ['READ'],
      kapsules: [{ kapsulecode: forecast?._id ?? '', kapsulename: 'Forecast' }],
      users: [{ userid: rita?.userId ?? '', username: 'rita' }],
    },
  });
  await logInAs(page, filled, 'rita');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Add' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Delete Forecast' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Replace Forecast from .kap' })).toHaveCount(0);
  await page.getByRole('checkbox', { name: 'Select Forecast' }).check();
  await page.getByRole('button', { name: 'Delete Selection (1)' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  const refusal = page.getByRole('dialog', { name: 'Failed To Delete' });
  await expect(refusal).toContainText('lack the delete permission');
  await expect(refusal.getByRole('listitem')).toHaveText('Forecast');
});
