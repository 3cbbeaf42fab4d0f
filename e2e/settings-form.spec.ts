import { startFilledService } from './fixtures/filled-service.ts';
import type { RunningService } from './fixtures/service.ts';
import { field, fieldMessage, openSettings, section, submit, upload } from './fixtures/settings-page.ts';
import {
  expect,
  expectAccessible,
  expectMessage,
  expectNoHorizontalScroll,
  inDialog,
  openAs,
  test,
} from './fixtures/test.ts';

let own: RunningService;
test.beforeAll(async () => {
  own = await startFilledService();
});
test.afterAll(() => own?.stop());

test('the form has the parts, defaults and transitions of the specification', { tag: '@full' }, async ({
  page,
}) => {
  await openSettings(page, own);
  const index = page.getByRole('navigation', { name: 'On this page' });
  await expect(index.getByRole('link')).toHaveText([
    'System',
    'Security',
    'Platform Connection',
    'database settings',
    'Data Source List',
    'License',
    'Logs',
    'Submit',
  ]);
  await index.getByRole('link', { name: 'Logs' }).click();
  await expect(page).toHaveURL(/#logs$/);
  await expect(field(page, 'Log level')).toBeInViewport();
  await expect(field(page, 'Port').first()).toBeDisabled();
  await expect(field(page, 'Port').first()).toHaveValue(/^\d+$/);
  await expect(field(page, 'Sign Expires In')).toHaveValue('24');
  await expect(section(page, 'Security')).toContainText('hours');
  await expect(section(page, 'Logs')).toContainText('info');

  // HTTPS, PFX and PEM.
  const [https, pfx] = [field(page, 'HTTPS'), field(page, 'Use PFX certificate')];
  await expect(pfx).toBeDisabled();
  await expect(field(page, 'HSTS')).toBeHidden();
  await https.click();
  await expect(field(page, 'HSTS')).toBeVisible();
  await expect(upload(page, 'Server Key PEM')).toContainText('No file yet');
  await pfx.check();
  await expect(upload(page, 'Server PFX')).toBeVisible();
  await expect(upload(page, 'Server PEM')).toBeHidden();
  await field(page, 'PFX Password').fill('secret');
  await https.click();
  await expect(pfx).toBeDisabled();
  await expect(pfx).not.toBeChecked();
  await https.click();
  await pfx.check();
  await expect(field(page, 'PFX Password')).toHaveValue('');

  // The first error is a toast, the page scrolls to it, and every field shows its own message; those of certificate
  // mode are required once one of them is used.
  await submit(page);
  await expectMessage(page, 'Server PFX is required!');
  await expect(fieldMessage(page, 'Engine Hostname is required!')).toBeHidden();
  await field(page, 'Virtual Proxy').fill('hub');
  await submit(page);
  await expectMessage(page, 'Server PFX is required!');
  await expect(page.getByRole('button', { name: 'Upload .pfx: Server PFX' })).toBeFocused();
  for (const label of ['Engine Hostname', 'Qlik User ID', 'Qlik User Directory'])
    await expect(fieldMessage(page, `${label} is required!`)).toBeVisible();
  await https.click();

  // Certificate mode: default ports are filled in; without local certificates the files are required.
  await field(page, 'Engine Hostname').fill('qlik.example.com');
  await field(page, 'Repository Hostname').fill('qlik.example.com');
  await field(page, 'Virtual Proxy').focus();
  await expect(field(page, 'Engine Hostname')).toHaveValue('qlik.example.com:4747');
  await expect(field(page, 'Repository Hostname')).toHaveValue('qlik.example.com:4242');
  await expect(field(page, 'User ID attribute')).toHaveValue('userId');
  await expect(field(page, 'User directory attribute')).toHaveValue('userDirectory');
  await field(page, 'Use Qlik local certificates').uncheck();
  await field(page, 'Qlik User ID').fill('sa_api');
  await field(page, 'Qlik User Directory').fill('INTERNAL');
  await submit(page);
  await expectMessage(page, 'Certificate File is required!');
  for (const label of ['Key File', 'Root File'])
    await expect(fieldMessage(page, `${label} is required!`)).toBeVisible();

  // JWT, SaaS and Desktop.
  const mode = (name: string) => page.locator('.ant-segmented-item').filter({ hasText: name }).click();
  await mode('JWT');
  await submit(page);
  await expectMessage(page, 'Engine Hostname is required!');
  await expect(fieldMessage(page, 'Key File is required!')).toBeVisible();
  await expect(field(page, 'Qlik User ID')).toHaveValue('sa_api');
  await mode('SaaS');
  await expect(field(page, 'Qlik User ID')).toBeHidden();
  await submit(page);
  await expectMessage(page, 'Tenant Hostname is required!');
  await expect(fieldMessage(page, 'API Key is required!')).toBeVisible();
  await field(page, 'Tenant Hostname').fill('https://tenant.eu.qlikcloud.com/hub?x=1');
  await field(page, 'Tenant Hostname').blur();
  await expect(field(page, 'Tenant Hostname')).toHaveValue('tenant.eu.qlikcloud.com');
  await mode('Desktop');
  await expect(section(page, 'Platform Connection')).toContainText('localhost:9076');

  // Allowed origins.
  const hub = page.getByPlaceholder('https://hub.example.com');
  await hub.fill('not a domain');
  await hub.press('Enter');
  await expect(fieldMessage(page, 'Please enter a valid domain name')).toBeVisible();
  await submit(page);
  await expectMessage(page, 'Please enter a valid domain name');
  await hub.fill('https://hub.example.com/sense/app?a=b');
  await page.getByRole('button', { name: 'Add Qlik Hub URL' }).click();
  await expect(page.getByRole('list', { name: 'Qlik Hub URL' })).toHaveText('https://hub.example.com');

  // Sign Expires In.
  for (const [typed, message] of [
    ['x', 'Sign Expires In is not a valid number!'],
    ['1.5', 'Sign Expires In is not a valid number!'],
    ['-1', 'Sign Expires In must be between 0 and 720'],
    ['', 'Sign Expires In is required!'],
  ] as const) {
    await field(page, 'Sign Expires In').fill(typed);
    await submit(page);
    await expectMessage(page, message);
  }
  await field(page, 'Sign Expires In').fill('0');

  // Database.
  await page.getByText('postgres', { exact: true }).click();
  const database = section(page, 'database settings');
  await expect(database.getByLabel('Port')).toHaveValue('5432');
  await database.getByLabel('Port').fill('many');
  await submit(page);
  await expectMessage(page, 'Host is required!');
  for (const text of ['Port is not a valid number!', 'User is required!', 'Name is required!'])
    await expect(fieldMessage(page, text)).toBeVisible();
  await database.getByLabel('Port').fill('70000');
  await expect(fieldMessage(page, 'Port must be between 1 and 65535')).toBeVisible();
  await page.getByText('Built-in', { exact: true }).click();

  // Data sources.
  const sources = section(page, 'Data Source List');
  const add = sources.getByRole('button', { name: 'Add data source' });
  await add.click();
  await expect(sources.getByRole('alert').filter({ hasText: 'Error: No dataSourceType!' })).toBeVisible();
  await expect(fieldMessage(page, 'Please Select Data Source Type!')).toBeVisible();
  // By keyboard: the third type.
  await field(page, 'Data Source Type').press('Enter');
  await expect(page.locator('.ant-select-item-option')).toHaveCount(5);
  for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(sources.locator('.ant-select')).toContainText('MySQL');
  await add.click();
  const mysql = page.getByRole('article', { name: 'MySQL' });
  await expect(mysql.getByLabel('Pool')).toBeFocused();
  await expect(mysql.getByLabel('Port')).toHaveValue('3306');
  await expect(mysql.getByLabel('Pool')).toHaveValue('0');
  await field(page, 'Data Source Type').click();
  await expect(page.locator('.ant-select-item-option')).toHaveText([
    'MSSQL',
    'Oracle',
    'PostgreSQL',
    'Snowflake',
  ]);
  await page.keyboard.press('Escape');
  await submit(page);
  await expectMessage(page, 'Server is required!');
  await expect(mysql.getByLabel('Server')).toBeFocused();
  for (const answer of ['Cancel', 'Yes']) {
    await mysql.getByRole('button', { name: 'Remove MySQL' }).click();
    const asked = page.getByRole('dialog', { name: 'Are you sure to remove MySQL?' });
    await asked.getByRole('button', { name: answer, exact: true }).click();
    await expect(asked).toBeHidden();
  }
  await expect(mysql).toBeHidden();

  // Backups belong to the built-in database.
  await expect(field(page, 'Backups to keep')).toBeHidden();
  await field(page, 'Backup').press('Enter');
  for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
  await expect(field(page, 'Backups to keep')).toHaveValue('7');
  await field(page, 'Backups to keep').fill('1000');
  await expect(fieldMessage(page, 'Backups to keep must be between 1 and 365')).toBeVisible();

  // Reset discards all changes.
  await page.getByRole('button', { name: 'Reset' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByText('No unsaved changes')).toBeVisible();
  await expect(field(page, 'Sign Expires In')).toHaveValue('24');
  await expect(field(page, 'Engine Hostname')).toHaveValue('');
});

test('leaving with unsaved changes asks for confirmation, in the console and in the browser', {
  tag: '@full',
}, async ({ page }) => {
  await openSettings(page, own);
  await field(page, 'Log path').fill('elsewhere');
  const asked = page.getByRole('dialog', { name: 'Discard what you have entered?' });
  await page.getByRole('link', { name: 'Users' }).click();
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page).toHaveURL(/data\/setting/);
  await page.getByRole('button', { name: 'Account: admin' }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await expect(field(page, 'Log path')).toHaveValue('elsewhere');

  const warned = page.waitForEvent('dialog');
  const reload = page.reload();
  const warning = await warned;
  expect(warning.type()).toBe('beforeunload');
  await warning.accept();
  await reload;
  await expect(field(page, 'Log path')).toHaveValue('');

  await field(page, 'Log path').fill('elsewhere');
  await page.getByRole('link', { name: 'Users' }).click();
  await asked.getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible();

  // The forms in dialogs are guarded in the same way.
  await page.getByRole('button', { name: 'Create User' }).click();
  await page.getByRole('dialog', { name: 'Add User' }).getByLabel('User Name').fill('half');
  await page.goBack();
  await asked.getByRole('button', { name: 'Keep editing' }).click();
  await expect(page.getByRole('dialog', { name: 'Add User' }).getByLabel('User Name')).toHaveValue('half');
});

test('without the apiKey setting there is neither page nor entry', async ({ page }) => {
  await openAs(page, own, '/data/apikey');
  await expect(page.getByRole('menuitem', { name: 'Api Key' })).toHaveAttribute('aria-disabled', 'true');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
});

test('unreadable and rolled-back settings are reported, and the page fits a phone', { tag: '@full' }, async ({
  page,
}) => {
  await openSettings(page, own);
  await page.route('**/get/info', (route) => route.fulfill({ status: 500, json: {} }));
  await page.reload();
  await expect(page.locator('.ant-spin').getByText('Something Error!')).toBeVisible();
  await page.unroute('**/get/info');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(field(page, 'Log path')).toBeVisible();

  await page.route('**/get/info', (route) =>
    route.fulfill({ json: { settings: { qlikHost: 'TELEPATHY' }, oracle: {}, mssql: {} } }),
  );
  const lastApply = {
    status: 'rolledBack',
    generation: 3,
    at: new Date().toISOString(),
    reason: 'Port taken.',
  };
  await page.route('**/sys/state', async (route) => {
    const state = (await (await route.fetch()).json()) as object;
    await route.fulfill({ json: { ...state, lastApply } });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.getByRole('alert').filter({ hasText: 'was rolled back' })).toContainText('Port taken.');
  await expect(section(page, 'Platform Connection').getByRole('alert')).toContainText('Something Error!');
  await expectNoHorizontalScroll(page);
  await expectAccessible(page);
  // The list of sections must not move away under the pressed pointer.
  const link = page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: 'Platform Connection' });
  await link.click();
  await expect(page).toHaveURL(/#platform-connection$/);
  await page.getByRole('button', { name: 'History' }).click();
  await expect(page.getByRole('heading', { name: 'Nothing was saved yet' })).toBeVisible();
  await expectAccessible(page, inDialog);
});
