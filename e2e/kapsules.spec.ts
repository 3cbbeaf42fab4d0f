import { expect, logInAs, test } from './fixtures/test.ts';

test.beforeEach(({ page, service }) => logInAs(page, service));

test('lists the kapsules, and searches by name or table', async ({ page }) => {
  const rows = page.locator('tbody tr[data-row-key]');
  for (const name of ['Budget notes', 'Forecast', 'Inventory'])
    await expect(rows.filter({ hasText: name })).toHaveCount(1);
  await page.getByPlaceholder(/search/i).fill('BUDG');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Budget notes');
  await expect(page).toHaveURL(/BUDG/);
  await page.getByPlaceholder(/search/i).fill('stocktable');
  await expect(rows.first()).toContainText('Inventory');
  await page.reload();
  await expect(rows).toHaveCount(1);
});

test('sorts by a column, in both directions', async ({ page }) => {
  await page.getByRole('columnheader', { name: /^Table/ }).click();
  await expect(page.locator('tbody tr[data-row-key]').first()).toContainText('BudgetTable');
  await page.getByRole('columnheader', { name: /^Table/ }).click();
  await expect(page.locator('tbody tr[data-row-key]').first()).toContainText('StockTable');
});

test('cuts the owner at 18 characters and shows all of it in a tooltip', async ({ page }) => {
  const owner = page.getByText('an.owner.with.a.lo', { exact: false });
  await expect(owner).not.toContainText('long.name');
  await owner.hover();
  await expect(page.getByRole('tooltip')).toContainText('an.owner.with.a.long.name');
});

test('reports a list that cannot be loaded, and recovers', async ({ page }) => {
  await page.route('**/api/kapsule', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  await page.reload();
  await expect(page.getByText('Kapsules load Failed! Check console for log')).toBeVisible();
  await page.unroute('**/api/kapsule');
  await page.getByRole('button', { name: /retry|try again/i }).click();
  await expect(page.locator('tbody tr[data-row-key]').filter({ hasText: 'Forecast' })).toHaveCount(1);
});
