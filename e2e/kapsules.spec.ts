import { expect, logInAs, test } from './fixtures/test.ts';

test('kapsules are listed, sorted, searched by name or table, and their owners cut at 18 characters', async ({
  page,
  service,
}) => {
  await logInAs(page, service);
  const rows = page.locator('tbody tr[data-row-key]');
  for (const name of ['Budget notes', 'Forecast', 'Inventory'])
    await expect(rows.filter({ hasText: name })).toHaveCount(1);

  const owner = page.getByText('an.owner.with.a.lo', { exact: false });
  await expect(owner).not.toContainText('long.name');
  await owner.hover();
  await expect(page.getByRole('tooltip')).toContainText('an.owner.with.a.long.name');

  const column = page.getByRole('columnheader', { name: /^Table/ });
  await column.click();
  // The list was in this order before.
  await expect(column).toHaveAttribute('aria-sort', 'ascending');
  // Other kapsules, which have no table, may stand before or after them.
  const tables = page.getByText(/^(Budget|Stock)Table$/);
  await expect(tables).toHaveText(['BudgetTable', 'StockTable']);
  await column.click();
  await expect(tables).toHaveText(['StockTable', 'BudgetTable']);

  await page.getByPlaceholder(/search/i).fill('BUDG');
  await expect(rows).toHaveCount(1);
  await expect(rows.first()).toContainText('Budget notes');
  await expect(page).toHaveURL(/BUDG/);
  await page.getByPlaceholder(/search/i).fill('stocktable');
  await expect(rows.first()).toContainText('Inventory');
  await page.reload();
  await expect(rows).toHaveCount(1);
});

test('reports a list that cannot be loaded, and recovers', { tag: '@full' }, async ({ page, service }) => {
  await page.route('**/api/kapsule?withoutFields=true', (route) =>
    route.fulfill({ status: 500, json: { message: 'no' } }),
  );
  await logInAs(page, service);
  await expect(page.getByText('Kapsules load Failed! Check console for log')).toBeVisible();
  await page.unroute('**/api/kapsule?withoutFields=true');
  await page.getByRole('button', { name: /retry|try again/i }).click();
  await expect(page.locator('tbody tr[data-row-key]').filter({ hasText: 'Forecast' })).toHaveCount(1);
});
