import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { startFilledService } from './fixtures/filled-service.ts';
import { expectNothingMoves } from './fixtures/layout-shift.ts';
import type { RunningService } from './fixtures/service.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleLayout,
  expectContrast,
  expectMessage,
  expectNoHorizontalScroll,
  inDialog,
  openAs,
  test,
} from './fixtures/test.ts';

let filled: RunningService;
test.beforeAll(async () => {
  filled = await startFilledService();
});
test.afterAll(() => filled?.stop());

const rows = (page: Page) => page.locator('tbody tr[data-row-key]');
/** Opens a kapsule with a short page of its granules: the default size has a test of its own. */
async function open(page: Page, name = 'Budget notes', search = '?size=20') {
  const admin = filled.client((await filled.session('admin')).accessToken);
  const kapsule = (await admin.kapsules.list()).find((one) => one.name === name);
  await openAs(page, filled, `/data/kapsules/${kapsule?._id}${search}`);
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
}
const kapsuleIdOf = (page: Page) => new URL(page.url()).pathname.split('/').at(-1) ?? '';

test('a kapsule opens with its summary, and pages to the end', async ({ page }) => {
  await open(page, 'Budget notes', '');
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Total Records250');
  await expect(rows(page)).toHaveCount(50);
  await page.getByRole('listitem', { name: '5' }).click();
  await expect(page).toHaveURL(/page=5/);
  await expect(rows(page)).toHaveCount(50);
  await page.reload();
  await expect(page.locator('.ant-pagination-item-active')).toHaveText('5');

  // One that is lost is told below the title, with a gap.
  await openAs(page, filled, '/data/kapsules/000000000000000000000000');
  const reason = await page.getByRole('alert').filter({ hasText: 'could not be loaded' }).boundingBox();
  const title = await page.getByRole('heading', { level: 1 }).boundingBox();
  expect((reason?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0)).toBeGreaterThan(10);
});

test('the search finds any script in any case, stays in the URL, and Back restores it', async ({ page }) => {
  await open(page);
  await page.getByRole('searchbox').fill('überraschung');
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page).first()).toContainText('Eine Überraschung');
  await expect(page.getByText('1 of 250 granules')).toBeVisible();
  await page.getByRole('link', { name: 'Kapsules' }).first().click();
  await expect(page).toHaveURL(/\/data\/kapsules$/);
  await page.goBack();
  await expect(page.getByRole('searchbox')).toHaveValue('überraschung');
  await expect(rows(page)).toHaveCount(1);
});

test('conditions and the order by a field stay in the URL, and come back as a saved view, by keyboard', {
  tag: '@full',
}, async ({ page }) => {
  await open(page);
  await page.getByRole('columnheader', { name: 'Comment' }).click();
  await expect(rows(page).first()).toContainText('Eine Überraschung');
  await page.getByRole('button', { name: 'Filters' }).press('Enter');
  const filters = page.getByRole('dialog', { name: 'Filter by fields' });
  await filters.getByLabel('Comment: text').fill('NOTE 24');
  await expectAccessible(page, inDialog);
  await filters.getByLabel('Comment: text').press('Enter');
  await expect(filters).toBeHidden();
  await expect(page.getByText('11 of 250 granules')).toBeVisible();
  await expect(rows(page)).toHaveCount(11);
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeFocused();

  await page.getByRole('button', { name: 'Views' }).press('Enter');
  const views = page.getByRole('dialog', { name: 'Saved views' });
  await views.getByLabel('Name of the present view').fill('Twenty-four');
  await views.getByLabel('Name of the present view').press('Enter');
  await expect(views.getByRole('button', { name: 'Twenty-four', exact: true })).toBeVisible();
  await expectAccessible(page, inDialog);
  await page.keyboard.press('Escape');
  await open(page);
  await expect(rows(page)).toHaveCount(20);
  await page.getByRole('button', { name: 'Views' }).click();
  await views.getByRole('button', { name: 'Twenty-four', exact: true }).click();
  await expect(rows(page)).toHaveCount(11);
  await page.reload();
  await expect(rows(page)).toHaveCount(11);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole('button', { name: 'Filters (1)' }).click();
  await expect(filters.getByLabel('Comment: text')).toHaveValue('NOTE 24');
  await expectContrast(page, inDialog);
  await expectAccessibleLayout(page, inDialog);
  await expectNoHorizontalScroll(page);
});

test('the filter shows what was reloaded and what was not; a row opens to its data and its history', {
  tag: '@full',
}, async ({ page }) => {
  await open(page, 'Forecast');
  await page
    .getByText('Not Reloaded', { exact: true })
    .and(page.locator('.ant-segmented-item-label'))
    .click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByText('Reloaded', { exact: true }).and(page.locator('.ant-segmented-item-label')).click();
  await expect(page.getByText('No granule is like that')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(rows(page)).toHaveCount(3);

  const admin = filled.client((await filled.session('admin')).accessToken);
  await admin.dataApi.upsert({
    params: { id: kapsuleIdOf(page) },
    body: { granules: [{ key: 'K1', data: { Comment: 'Rewritten' } }] },
  });
  await page.reload();
  await rows(page)
    .filter({ hasText: 'K1' })
    .getByRole('button', { name: /^Show details of/ })
    .click();
  await expect(page.getByRole('figure', { name: 'Data' })).toContainText('"Comment": "Rewritten"');
  await expect(page.locator('del')).toHaveText('Note 1');
  await expect(page.locator('ins')).toHaveText('Rewritten');
  await expect(page).toHaveURL(/open=/);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Bring back version 1' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expectMessage(page, 'Version 1 of K1 is back.');
  await expect(page.getByRole('figure', { name: 'Data' })).toContainText('"Comment": "Note 1"');
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Comment').fill('By hand');
  await expectAccessible(page, inDialog);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('figure', { name: 'Data' })).toContainText('"Comment": "By hand"');
});

test('new records are announced as they arrive and shown when asked for', async ({ page }) => {
  await open(page, 'Inventory');
  await expect(page.getByText('No granules yet')).toBeVisible();
  const admin = filled.client((await filled.session('admin')).accessToken);
  await admin.dataApi.upsert({
    params: { id: kapsuleIdOf(page) },
    body: { granules: ['S1', 'S2'].map((key) => ({ key, data: { Comment: 'counted' } })) },
  });
  await expect(page.getByText('2 new granules –')).toBeVisible();
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Total Records2');
  await expect(rows(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'show' }).click();
  await expect(rows(page)).toHaveCount(2);
});

test('all matching granules are exported, deleted and restored', async ({ page }) => {
  await open(page);
  await expect(rows(page)).toHaveCount(20);
  const search = async () => {
    await page.getByRole('searchbox').fill('Note 1');
    await expect(page.getByText('111 of 250 granules')).toBeVisible();
  };
  await expectNothingMoves(page, search, { except: '.ant-table-wrapper' });

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'NDJSON' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Yes' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
  expect(lines).toHaveLength(111);

  await expectNothingMoves(page, async () => {
    await rows(page).nth(1).getByRole('checkbox').check();
    await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
    await page.getByRole('button', { name: 'Select all 111 matching' }).click();
    await expect(page.getByText('All 111 matching granules are selected.')).toBeVisible();
  });
  await page.getByRole('button', { name: 'Delete Selection (111)' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expectMessage(page, '111 granules are deleted.');
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(page.getByText('139 granules', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Deleted' }).click();
  await expect(page.getByText('111 granules deleted')).toBeVisible();
  await page.getByRole('checkbox', { name: 'Select all of this page' }).check();
  await page.getByRole('button', { name: 'Select all 111 matching' }).click();
  await page.getByRole('button', { name: 'Restore (111)' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('0 granules deleted')).toBeVisible();
  await page.getByRole('button', { name: 'Deleted' }).click();
  await expect(page.getByText('250 granules', { exact: true })).toBeVisible();
});

test('the load script can be copied', { tag: '@full' }, async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page);
  await page.getByRole('button', { name: 'Use in Qlik' }).click();
  await expect(page.getByRole('figure', { name: 'Load script' })).toContainText('LOAD');
  await expectAccessible(page, inDialog);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expectMessage(page, 'Copy successfully!');
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('Budget notes');
});

test('a failed load shows an empty list without an error, and can be retried', { tag: '@full' }, async ({
  page,
}) => {
  await open(page);
  await page.route('**/sql/read/internal*', (route) =>
    route.fulfill({ status: 500, json: { message: 'no' } }),
  );
  await page.reload();
  await expect(page.getByText('No granules to show')).toBeVisible();
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.unroute('**/sql/read/internal*');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(rows(page)).toHaveCount(20);
});

test('a service that answers with the plain list is filtered and paged in the browser', {
  tag: '@full',
}, async ({ page }) => {
  await page.route('**/sql/read/internal*', (route) =>
    route.fulfill({
      json: Array.from({ length: 120 }, (_, index) => ({
        _id: `g${index}`,
        key: `P${index}`,
        user: 'x',
        data: { Comment: `Plain ${index}` },
        reloaded: index < 20,
      })),
    }),
  );
  await open(page);
  await expect(page.getByRole('region', { name: 'Summary' })).toContainText('Reloaded20');
  await expect(rows(page)).toHaveCount(20);
  await page.getByRole('searchbox').fill('plain 119');
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Export' })).toHaveCount(0);
});

test('the page passes WCAG 2.2 AA, light and dark, and fits a phone', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await open(page);
  await expect(rows(page)).not.toHaveCount(0);
  await rows(page)
    .first()
    .getByRole('button', { name: /^Show details of/ })
    .click();
  await expect(page.getByRole('figure', { name: 'Data' })).toBeVisible();
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await expectContrast(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  // The table scrolls sideways; the details of its row do not.
  await expect
    .poll(async () => {
      const data = await page.getByRole('figure', { name: 'Data' }).boundingBox();
      return data && data.x >= 0 && data.x + data.width <= 390;
    })
    .toBe(true);
  await expectAccessibleLayout(page);
});
