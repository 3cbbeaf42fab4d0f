import { join } from 'node:path';
import { type JobRecord, openEmbeddedStore } from '@kaptain/store';
import type { Page } from '@playwright/test';
import { startFilledService } from './fixtures/filled-service.ts';
import { type RunningService } from './fixtures/service.ts';
import { expect, expectMessage, openAs, test } from './fixtures/test.ts';

/** Spec 9: times are shown in the browser's time zone, which `playwright.config.ts` sets. */
const inKathmandu = (time: string) =>
  new Date(Date.parse(time) + 5.75 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

const ran: Omit<JobRecord, 'id' | 'version' | 'name'> = {
  type: 'normal',
  status: 'succeeded',
  userId: null,
  kapsuleId: null,
  appId: 'app-1',
  partial: false,
  lastRunAt: '2026-01-31T18:30:00.000Z',
  lastFinishedAt: '2026-01-31T18:30:01.234Z',
  qlikUser: { userDirectory: 'CORP', userId: 'mara' },
  qScriptLogFile: 'run.log',
  failReason: null,
  progress: null,
  createdAt: '2026-01-31T18:30:00.000Z',
};

let own: RunningService;
let admin: ReturnType<RunningService['client']>;
test.beforeAll(async () => {
  own = await startFilledService({
    settings: { settings: { apiKey: true, qlikHost: 'DESKTOP' }, hosts: { DESKTOP: {} } },
  });
  admin = own.client((await own.session('admin')).accessToken);
  const store = await openEmbeddedStore({ file: join(own.dataDir, 'kaptain.db') });
  await store.jobs.insert({ ...ran, name: 'Reload whole' });
  await store.jobs.insert({ ...ran, name: 'Reload begun', lastFinishedAt: null, qScriptLogFile: null });
  await store.close();
});
test.afterAll(() => own?.stop());

const row = (page: Page, text: string) => page.locator('tbody tr[data-row-key]').filter({ hasText: text });
const unasked = (page: Page) =>
  page.locator('.ant-message-notice, .ant-notification-notice, [role=alert]:not(:empty)');

test('a group is changed by its id and its save errors are only logged; a key can be copied, or the failure is reported', {
  tag: '@full',
}, async ({ page }) => {
  const { _id } = await admin.groups.create({ body: { groupname: 'Ops', authority: ['READ'] } });
  const logged: string[] = [];
  page.on('console', (line) => line.type() === 'error' && logged.push(line.text()));
  await openAs(page, own, '/system/groups');
  await page.getByRole('button', { name: 'Edit Ops' }).click();
  const update = page.getByRole('dialog', { name: 'Update Group' });
  await expect(update.getByLabel('DELETE', { exact: true })).not.toBeChecked();
  await update.getByLabel('Group name').fill('Operations');
  const put = page.waitForRequest(`**/api/group/update/${_id}`);
  await update.getByRole('button', { name: 'Save' }).click();
  expect((await put).method()).toBe('PUT');
  expect((await put).postDataJSON()).toMatchObject({
    groupId: _id,
    groupname: 'Operations',
    authority: ['READ'],
    kapsules: [],
    users: [],
  });
  await expect(row(page, 'Operations')).toBeVisible();
  await expect(page.locator('.ant-message-notice')).toHaveCount(0);

  await page.getByRole('button', { name: 'Create Group' }).click();
  const create = page.getByRole('dialog', { name: 'Create Group' });
  await create.getByLabel('Group name').fill('operations');
  await create.getByRole('button', { name: 'Save' }).click();
  await expect(create.getByText('A group with this name exists already.')).toBeVisible();
  await create.getByLabel('Group name').fill('Finance');
  await page.route('**/api/group/create', (route) => route.fulfill({ status: 500, json: { message: 'no' } }));
  await create.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => logged.join()).toContain('500');
  await expect(create.getByLabel('Group name')).toHaveValue('Finance');
  await expect(unasked(page)).toHaveCount(0);
  await page.unroute('**/api/group/create');

  await page.goto(`${own.url}/data/apikey`);
  await page.getByRole('button', { name: 'Create Api Key' }).click();
  const form = page.getByRole('dialog', { name: 'Create Api Key' });
  const key = form.getByLabel('API key');
  await expect(key).toHaveAttribute('rows', '3');
  await key.fill('line\n'.repeat(12));
  await expect(key).toHaveAttribute('rows', '6');
  await form.getByRole('button', { name: 'Generate' }).click();
  await expect(key).toHaveAttribute('rows', '3');
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'));
  });
  await form.getByRole('button', { name: 'Copy' }).click();
  await expectMessage(page, 'Copy failed!');
  await form.getByLabel('Name').fill('Nightly');
  await form.getByRole('button', { name: /Create$/ }).click();
  await expect(form).toBeHidden();
  const titles = page.locator('.ant-table').getByRole('columnheader');
  await expect(titles).toHaveText(['Name', 'API key', 'Creator', 'Created', 'Last used', 'Actions']);
  const [stored] = await admin.apiKeys.list();
  await expect(row(page, 'Nightly')).toContainText('admin');
  await expect(row(page, 'Nightly').locator('time').first()).toHaveText(inKathmandu(stored?.createdAt ?? ''));
});

test('runs show their duration and offer their script log; log lists that cannot be loaded are empty, without an error', {
  tag: '@full',
}, async ({ page }) => {
  await openAs(page, own, '/system/logs');
  const whole = row(page, 'Reload whole');
  await expect(whole).toContainText('1234 ms');
  await expect(whole.locator('time')).toHaveText(['2026-02-01 00:15:00', '2026-02-01 00:15:01']);
  await expect(row(page, 'Reload begun')).toContainText('0 ms');
  const icon = { name: /^Download ScriptLogFile/ };
  await expect(whole.getByRole('button', icon)).toHaveCount(1);
  await expect(row(page, 'Reload begun').getByRole('button', icon)).toHaveCount(0);
  await page.getByPlaceholder('Search by log name').fill('WHOLE');
  await expect(row(page, 'Reload')).toHaveCount(1);

  await page.route(/\/api\/log\/(sys\/)?(list|files)/, (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No logs to show' })).toBeVisible();
  await expect(unasked(page)).toHaveCount(0);
  await page.goto(`${own.url}/program/logs`);
  await expect(page.getByText('No files yet')).toHaveCount(2);
  await expect(unasked(page)).toHaveCount(0);
  await page.unroute(/\/api\/log\/(sys\/)?(list|files)/);

  // Spec 2: a skeleton while the file's text loads.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/log/sys/app/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'View app-current.log' }).click();
  const drawer = page.getByRole('dialog', { name: 'app-current.log' });
  await expect(drawer.locator('.ant-skeleton')).toBeVisible();
  release();
  await drawer.getByText('Text', { exact: true }).click();
  await expect(drawer.getByRole('log')).toContainText('"msg"');
  await expect(drawer.locator('.ant-skeleton')).toHaveCount(0);
});

test('every type of data source has its fields and ports, and certificate files for the platform are shown once stored', {
  tag: '@full',
}, async ({ page }) => {
  await openAs(page, own, '/data/setting');
  const options = page.locator('.ant-select-dropdown:visible .ant-select-item-option');
  await page.getByLabel('Log level', { exact: true }).click();
  await expect(options).toHaveText(['debug', 'warn', 'info', 'error']);
  await page.keyboard.press('Escape');
  await expect(
    page.getByRole('region', { name: 'database settings' }).locator('.ant-radio-button-wrapper'),
  ).toHaveText(['Built-in', 'mongodb', 'postgres']);

  const types: [name: string, port: string, required: string[]][] = [
    ['MSSQL', '1433', ['Server', 'User']],
    ['Oracle', '1521', ['Server', 'Library path', 'User', 'Database']],
    ['MySQL', '3306', ['Server', 'User', 'Database']],
    ['PostgreSQL', '5432', ['User', 'Server', 'Database']],
    ['Snowflake', '', ['Account', 'User name', 'Database', 'Schema']],
  ];
  for (const [name, port] of types) {
    await page.getByLabel('Data Source Type', { exact: true }).click();
    await options.filter({ hasText: new RegExp(`^${name}$`) }).click();
    await page.getByRole('button', { name: 'Add data source' }).click();
    const source = page.getByRole('article', { name, exact: true });
    if (port === '') await expect(source.getByLabel('Port')).toHaveCount(0);
    else await expect(source.getByLabel('Port')).toHaveValue(port);
  }
  // Spec 5: only types not yet present are offered; now there is none left.
  await expect(page.getByLabel('Data Source Type', { exact: true })).toHaveCount(0);
  await page.getByRole('button', { name: 'Submit' }).click();
  for (const [name, , required] of types)
    await expect(
      page.getByRole('article', { name, exact: true }).locator('.ant-form-item-explain-error'),
    ).toHaveText(required.map((label) => `${label} is required!`));
  await expectMessage(page, 'Server is required!');

  await page.locator('.ant-segmented-item').filter({ hasText: 'Certificate' }).click();
  await page.getByLabel('Use Qlik local certificates', { exact: true }).uncheck();
  const field = page.locator('.ant-form-item').filter({ hasText: 'Certificate File' });
  const message = (text: string) => page.locator('.ant-message-notice').filter({ hasText: text });
  const junk = (name: string) => ({ name, mimeType: '', buffer: Buffer.from('junk') });
  await expect(field).toContainText('No file yet');
  await field.locator('input[type=file]').setInputFiles(junk('client.pfx'));
  await expect(message('Only .pem files are accepted: client.pfx')).toBeVisible();
  await field.locator('input[type=file]').setInputFiles(junk('client.pem'));
  await expect(message('This is neither a certificate nor a key in PEM format.')).toBeVisible();
  const certificates = join(import.meta.dirname, '..', 'apps', 'service', 'src', 'testing', 'certificates');
  await field.locator('input[type=file]').setInputFiles(join(certificates, 'server.pem'));
  await expect(message('Uploaded successfully!')).toBeVisible();
  await expect(field.getByRole('img', { name: 'Uploaded' })).toBeVisible();
  await expect(field).toContainText(/[\w-]+\.pem/);
});
