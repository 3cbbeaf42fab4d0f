import type { Page } from '@playwright/test';
import { postgresqlBlock } from '../tools/test-servers/blocks.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../tools/test-servers/postgres.ts';
import { type RunningService, startService } from './fixtures/service.ts';
import { expect, logInAs, openAs, test } from './fixtures/test.ts';

const isInstalled = hasPostgres();
let server: PostgresServer;
let service: RunningService;
test.beforeAll(async () => {
  if (!isInstalled) return;
  server = await startPostgres({ settings: { synchronous_commit: 'on' } });
  service = await startService({ settings: { settings: {}, postgresql: postgresqlBlock(server) } });
  await service.withAdmin();
});
test.afterAll(async () => {
  await service?.stop();
  await server?.stop();
});

const rows = (page: Page) => page.locator('tbody tr[data-row-key]');
const kap = {
  name: 'Orders.kap',
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(
    JSON.stringify({
      format: 'kap',
      version: 1,
      kapsule: {
        name: 'Orders',
        keyField: 'OrderId',
        database: 'postgresql',
        tableName: 'order_comments',
        fields: [{ name: 'Comment', type: 'text' }],
      },
    }),
  ),
};

if (isInstalled)
  test('a kapsule in PostgreSQL is imported, filled, searched, unavailable during an outage, and deleted with its table', {
    tag: '@full',
  }, async ({ page }) => {
    await logInAs(page, service);
    await page.getByRole('button', { name: 'Add' }).click();
    await page.locator('input[type="file"]').setInputFiles([kap]);
    await page.getByRole('button', { name: 'Start Upload' }).click();
    await expect(page.getByText('Orders.kap import successfully')).toBeVisible();
    const orders = rows(page).filter({ hasText: 'Orders' });
    await expect(orders).toContainText('postgresql');

    const admin = service.client((await service.session('admin')).accessToken);
    const [kapsule] = await admin.kapsules.list();
    const granules = Array.from({ length: 30 }, (_, n) => ({
      key: `A-${n}`,
      data: { Comment: `remark ${n}` },
    }));
    await admin.dataApi.upsert({ params: { id: kapsule?._id ?? '' }, body: { granules } });
    await orders.getByRole('link', { name: 'Orders' }).click();
    await expect(page.getByText('A-29')).toBeVisible();
    await page.getByRole('searchbox').fill('REMARK 17');
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText('A-17');

    await server.kill();
    // The service checks a healthy source again only after a few seconds.
    await expect.poll(async () => (await admin.kapsules.list())[0]?.state).toBe('unavailable');
    await openAs(page, service, '/data/kapsules');
    await orders.getByText('Unavailable').hover();
    await expect(page.getByRole('tooltip')).toContainText('PostgreSQL: The server can not be reached.');
    await server.start();
    await page.reload();
    await expect(orders).toContainText('30');
    await expect(orders.getByText('Unavailable')).toHaveCount(0);

    await page.getByRole('button', { name: 'Delete Orders' }).click();
    await page.getByRole('checkbox', { name: 'Delete table on postgresql' }).check();
    await page.getByRole('radio', { name: 'at once, for good' }).check();
    await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
    await expect(orders).toHaveCount(0);
  });
