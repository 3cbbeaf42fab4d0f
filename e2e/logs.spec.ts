import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JobRecord, openEmbeddedStore, type Store } from '@kaptain/store';
import type { Page } from '@playwright/test';
import { startFilledService } from './fixtures/filled-service.ts';
import { expectNothingMoves } from './fixtures/layout-shift.ts';
import { downloadScriptLog } from './fixtures/script-log.ts';
import { PASSWORD, type RunningService } from './fixtures/service.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleLayout,
  expectNoHorizontalScroll,
  logInAs,
  openAs,
  test,
} from './fixtures/test.ts';

/** The same for all times of the file: a run takes exactly a minute. */
const now = Date.now();
const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000).toISOString();

async function addJob({ jobs }: Store, name: string, minutes: number, change: Partial<JobRecord> = {}) {
  return jobs.insert({
    name,
    type: 'normal',
    status: 'succeeded',
    userId: null,
    kapsuleId: null,
    appId: 'app-1',
    partial: false,
    lastRunAt: minutesAgo(minutes),
    lastFinishedAt: minutesAgo(minutes - 1),
    qlikUser: { userDirectory: 'CORP', userId: 'mara' },
    qScriptLogFile: null,
    failReason: null,
    progress: null,
    createdAt: minutesAgo(minutes),
    ...change,
  });
}

/** Opens the service's database from this process, which the store allows. */
async function inStore<T>(service: RunningService, work: (store: Store) => Promise<T>): Promise<T> {
  const store = await openEmbeddedStore({ file: join(service.dataDir, 'kaptain.db') });
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function fill(service: RunningService): Promise<void> {
  const folder = join(service.dataDir, 'script-logs');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'run.log'), 'Reload started\n');
  await inStore(service, async (store) => {
    for (let index = 34; index > 10; index--) await addJob(store, `Reload Budget ${index}`, index * 60);
    await addJob(store, 'Reload Forecast', 9, {
      status: 'failed',
      failReason: 'Field not found: CloseDate.',
      qScriptLogFile: 'run.log',
    });
    // Started before any lease, so no instance takes it over during the test.
    await addJob(store, 'Reload Inventory', 5, { status: 'running', progress: 0.4, lastFinishedAt: null });
  });
}

const row = (page: Page, name: string) => page.locator('tbody tr[data-row-key]').filter({ hasText: name });
const rows = (page: Page) => page.locator('tbody tr[data-row-key]');

test.describe('the log of jobs', () => {
  let own: RunningService;
  test.beforeAll(async () => {
    own = await startFilledService();
    await fill(own);
  });
  test.afterAll(() => own?.stop());

  test('an ADMIN finds a failed run, sees why, downloads its script log, and returns to the same view', {
    tag: '@full',
  }, async ({ page }) => {
    await logInAs(page, own);
    await page.getByRole('menuitem', { name: /^Logs/ }).click();
    await expect(page).toHaveURL(/\/system\/logs$/);
    await expect(page.locator('.ant-table').getByRole('columnheader')).toHaveText([
      '',
      'Log ID',
      'Name',
      'Type',
      'User ID',
      'LastRunAt',
      'LastFinishedAt',
      'timeConsuming',
      'Action',
    ]);
    await expect(page.getByText('26 runs')).toBeVisible();
    await expect(rows(page)).toHaveCount(26);
    await expect(row(page, 'Reload Inventory').getByText('40%')).toBeVisible();
    await expect(row(page, 'Reload Budget 11')).toContainText('60000 ms');
    await openAs(page, own, '/system/logs?size=20&page=2');
    await expect(rows(page)).toHaveCount(6);
    await page.getByRole('listitem', { name: '1', exact: true }).click();
    await expect(rows(page)).toHaveCount(20);
    await expect(page).toHaveURL(/logs\?size=20$/);

    await page.getByLabel('Any status').click();
    await page.getByTitle('Failed', { exact: true }).click();
    await expect(rows(page)).toHaveCount(1);
    const failed = row(page, 'Reload Forecast');
    await failed.getByText('Failed').hover();
    await expect(page.getByRole('tooltip')).toHaveText('Field not found: CloseDate.');
    await failed.getByRole('button', { name: /^Show details of/ }).press('Enter');
    await expect(page.getByRole('figure')).toContainText('"qScriptLogFile": "run.log"');
    await expect(page).toHaveURL(/size=20&status=failed&open=[0-9a-f]{24}$/);
    await expectAccessible(page);
    await page.reload();
    await expect(page.getByRole('figure')).toContainText('"status": "failed"');

    const download = await downloadScriptLog(page, 'Reload Forecast');
    expect(download.suggestedFilename()).toBe('run.log');
    expect(await readFile(await download.path(), 'utf8')).toBe('Reload started\n');

    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.keyboard.press('/');
    await page.keyboard.type('bUdGeT 2');
    await expect(rows(page)).toHaveCount(10);
    await expect(page).toHaveURL(/q=bUdGeT\+2$/);
    await page.getByRole('link', { name: 'About' }).click();
    await expect(page).toHaveURL(/\/about$/);
    await page.goBack();
    await expect(rows(page)).toHaveCount(10);
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    await expectAccessibleLayout(page);
  });

  test('the page polls and shows the progress of a run', async ({ page }) => {
    await openAs(page, own, '/system/logs?q=Live');
    await expect(page.getByText('No run matches these filters')).toBeVisible();
    const { id } = await inStore(own, (store) =>
      addJob(store, 'Reload Live', 0, { status: 'running', progress: 0.1, lastFinishedAt: null }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await expect(row(page, 'Reload Live').getByText('10%')).toBeVisible();
    await inStore(own, (store) => store.jobs.patch(id, { progress: 0.8 }));
    await expect(row(page, 'Reload Live').getByText('80%')).toBeVisible();
    const succeed = async () => {
      const ended = {
        status: 'succeeded',
        progress: null,
        lastFinishedAt: new Date().toISOString(),
      } as const;
      await inStore(own, (store) => store.jobs.patch(id, ended));
      await expect(row(page, 'Reload Live').getByText('Succeeded')).toBeVisible();
    };
    // A number that is aligned to the right grows to the left.
    await expectNothingMoves(page, succeed, { except: 'td[style*="right"]' });
  });
});

test('a USER of the alternative variant sees the runs of readable data sources, in the dark scheme, by keyboard', {
  tag: '@full',
}, async ({ page, alternative: own }) => {
  await fill(own);
  const admin = own.client((await own.session('admin')).accessToken);
  const body = {
    username: 'rita',
    password: PASSWORD,
    role: 'USER',
    qlikId: 'CORP\\rita',
    isCreate: false,
  } as const;
  const { userId = '' } = await admin.users.create({ body });
  const [budget] = await admin.kapsules.list();
  await admin.groups.create({
    body: {
      groupname: 'Readers',
      authority: ['READ'],
      kapsules: [{ kapsulecode: budget?._id ?? '', kapsulename: budget?.name ?? '' }],
      users: [{ userid: userId, username: 'rita' }],
    },
  });
  await inStore(own, async (store) => {
    for (const minutes of [50, 40, 30])
      await addJob(store, 'Reload shared', minutes, {
        kapsuleId: budget?._id ?? '',
        qScriptLogFile: 'run.log',
      });
  });
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await openAs(page, own, '/system/logs', 'rita');
  await expect(page.getByText('3 runs', { exact: true })).toBeVisible();
  await expect(page.getByText(/those of data sources you may read/)).toBeVisible();
  await expect(page.getByRole('button', { name: /Download|again|Start Reload/ })).toHaveCount(0);
  await page.getByRole('slider', { name: /Duration of Reload shared/ }).focus();
  await page.keyboard.press('Home');
  await expect(page.getByRole('region', { name: 'Duration of Reload shared' })).toContainText(': 60,000 ms');
  await expectAccessible(page);
});
