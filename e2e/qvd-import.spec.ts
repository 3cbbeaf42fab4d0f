import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openQvd } from '@kaptain/qvd/node';
import type { Page } from '@playwright/test';
import type { RunningService } from './fixtures/service.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleLayout,
  expectNoHorizontalScroll,
  openAs,
  test,
} from './fixtures/test.ts';

const samples = join(import.meta.dirname, '..', 'packages', 'qvd', 'samples');
const sample = (name: string) => join(samples, name);

/** Creates a kapsule and opens the import into it. */
async function openImport(page: Page, service: RunningService, name: string) {
  const admin = service.client((await service.session('admin')).accessToken);
  const { _id } = await admin.dataApi.createKapsule({
    body: {
      name,
      table: 'colors',
      keyField: 'id',
      fields: [
        { name: 'name', type: 'text' },
        { name: 'RGB', type: 'text' },
      ],
    },
  });
  await openAs(page, service, `/data/kapsules/${_id}`);
  await page.getByRole('button', { name: 'Import' }).click();
}

const choose = (page: Page, ...names: string[]) =>
  page.locator('input[type="file"]').setInputFiles(names.map(sample));

test('only .qvd files are accepted; a file is previewed, its upload cancelled, repeated and stored; the rows can be exported as QVD', async ({
  page,
  service,
}) => {
  await openImport(page, service, 'Colours');
  const dialog = page.getByRole('dialog');
  await expect(dialog).toHaveCSS('width', '750px');
  const start = page.getByRole('button', { name: 'Start Upload' });
  await expect(start).toBeDisabled();
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'data.csv', mimeType: 'text/csv', buffer: Buffer.from('id,name') });
  await expect(page.getByText('Only .qvd files are accepted: data.csv')).toBeVisible();
  await expect(start).toBeDisabled();

  await choose(page, 'ctrl-q-qvd-viewer__colors.qvd');
  await expect(dialog).toContainText('Matched columnsid, name, rgb');
  await expect(dialog).toContainText('Ignored columnsis_trans');
  await expect(dialog.getByRole('region', { name: 'First rows' })).toContainText('Unknown');
  await expectAccessible(page);
  const window = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  // A long name is cut off, and the rows scroll by themselves, so that the list of files fits.
  const longName = `${'colours-of-the-year-'.repeat(4)}.qvd`;
  const buffer = await readFile(sample('ctrl-q-qvd-viewer__colors.qvd'));
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: longName, mimeType: 'application/octet-stream', buffer });
  await expect(dialog.getByRole('region', { name: 'First rows' })).toHaveCount(2);
  const overflow = await dialog
    .getByRole('listitem', { name: longName })
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(overflow).toBe(0);
  await page.getByRole('button', { name: `Leave out ${longName}` }).click();
  await expectAccessibleLayout(page);
  if (window) await page.setViewportSize(window);

  await page.route('**/import/qvd/data*', () => undefined);
  await start.click();
  await expect(page.getByRole('progressbar')).toBeVisible();
  await page.getByRole('button', { name: 'Cancel the upload' }).click();
  await expect(start).toBeEnabled();
  await page.unroute('**/import/qvd/data*');

  await start.click();
  await expect(page.getByText('Import Successed')).toBeVisible();
  await expect(page.getByText('Total matched 135 rows of data.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByText('135 granules', { exact: true })).toBeVisible();

  await page.getByRole('searchbox').fill('dark turquoise');
  await expect(page.getByText('1 of 135 granules')).toBeVisible();
  await page.getByRole('searchbox').fill('');
  await expect(page.getByText('135 granules', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'QVD', exact: true }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Yes' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Colours.qvd');
  await using qvd = await openQvd(await download.path());
  expect(qvd.rowCount).toBe(135);
  expect(qvd.columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['id', 'name', 'RGB']));
});

test('one invalid file leaves all data unchanged, and the dialog says why', { tag: '@full' }, async ({
  page,
  service,
}) => {
  await openImport(page, service, 'Damaged');
  await choose(page, 'ctrl-q-qvd-viewer__colors.qvd', 'qvd4js__damaged.qvd');
  await expect(page.getByRole('alert').filter({ hasText: 'Not a QVD file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start Upload' })).toBeDisabled();
  await page.getByRole('button', { name: 'Leave out qvd4js__damaged.qvd' }).click();
  // Only its last row is damaged, which the preview does not read.
  const buffer = await readFile(sample('ctrl-q-qvd-viewer__colors.qvd'));
  buffer.subarray(-3).fill(0xff);
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: 'last-row.qvd', mimeType: 'application/octet-stream', buffer });
  await expect(page.getByRole('listitem', { name: 'last-row.qvd' })).toBeVisible();
  await page.getByRole('button', { name: 'Start Upload' }).click();
  await expect(page.getByText('Import Failed')).toBeVisible();
  await expect(page.getByText('The content you submitted has the following error:')).toBeVisible();
  await expect(page.getByText(/last-row\.qvd/)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await page.reload();
  await expect(page.getByText('No granules yet')).toBeVisible();
});
