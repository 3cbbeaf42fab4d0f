import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { PASSWORD, type RunningService } from './fixtures/service.ts';
import {
  addUser,
  expect,
  expectAbove,
  expectAccessible,
  expectMessage,
  inDialog,
  openAs,
  test,
} from './fixtures/test.ts';

/** Shared with the other files of this worker. */
let own: RunningService;
let admin: ReturnType<RunningService['client']>;

test.beforeAll(async ({ service }) => {
  own = service;
  admin = own.client((await own.session('admin')).accessToken);
});

const addGroup = (groupname: string) =>
  admin.groups.create({ body: { groupname, authority: ['READ', 'DELETE'] } });

async function open(page: Page, path: string, username = 'admin') {
  await openAs(page, own, path, username);
  await page.getByRole('heading', { level: 1 }).waitFor();
}
const row = (page: Page, text: string) => page.locator('tbody tr[data-row-key]').filter({ hasText: text });
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });
/** Chooses an option of a select in the dialog, and closes its list. */
async function choose(page: Page, title: string, field: string, name: string) {
  await dialog(page, title).getByLabel(field, { exact: true }).click();
  await page.locator('.ant-select-item-option').filter({ hasText: name }).click();
  await dialog(page, title).getByText(title).first().click();
}
/** Cancels first, then confirms: only Yes acts. */
async function confirmTwice(page: Page, ask: () => Promise<void>, question: string) {
  for (const answer of ['Cancel', 'Yes']) {
    await ask();
    const asked = page.getByRole('dialog', { name: question });
    await asked.getByRole('button', { name: answer, exact: true }).click();
    await expect(asked).toBeHidden();
  }
}

test('users are listed with the columns of the specification, found by name, changed, and deleted only after Yes', async ({
  page,
}) => {
  for (const name of ['Paula', 'Quentin', 'sven', 'tilda']) await addUser(own, name);
  await open(page, '/system/users');
  const titles = page.getByRole('columnheader').filter({ hasText: /^(User ID|User Name|Role|Status)$/ });
  await expect(titles).toHaveText(['User ID', 'User Name', 'Role', 'Status']);
  await expect(row(page, 'Paula')).toContainText('Active');
  await page.getByPlaceholder('Search by user name').fill('pAuL');
  await expect(row(page, 'Paula')).toBeVisible();
  await expect(row(page, 'Quentin')).toBeHidden();
  await page.getByPlaceholder('Search by user name').fill('');

  await row(page, 'Paula')
    .getByRole('button', { name: /^Show details of/ })
    .click();
  const details = page.locator('.ant-table-expanded-row');
  await expect(details).toContainText('Last sign-inNever');
  await expect(details).toContainText('CORP\\Paula');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const users = dialog(page, 'Import users from CSV');
  const csv = `username;password;qlikId\nnina;${PASSWORD};CORP\\nina\nPAULA;${PASSWORD};x\n`;
  await users.locator('input[type=file]').setInputFiles({
    name: 'users.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(csv),
  });
  await expect(users.getByText('1 of 2 rows can be created. 1 row is left out.')).toBeVisible();
  await expectAccessible(page, inDialog);
  await users.getByRole('button', { name: 'Create 1 user' }).click();
  const results = dialog(page, 'Import results');
  await expect(results.getByText('nina is created.')).toBeVisible();
  await results.getByRole('button', { name: 'Close' }).last().click();
  await expect(row(page, 'nina')).toBeVisible();
  await own.logIn('nina');

  // The name can't be changed; an empty password stays as it is.
  await row(page, 'sven').getByRole('button', { name: 'Edit sven' }).click();
  const form = dialog(page, 'Update User');
  await expect(form.getByLabel('User Name')).toBeDisabled();
  await form.getByLabel('Qlik User ID').fill('CORP\\sven2');
  const sent = page.waitForRequest('**/api/user/update');
  await form.getByRole('button', { name: 'Save' }).click();
  expect((await sent).postDataJSON()).not.toHaveProperty('password');
  await expect(form).toBeHidden();
  await own.logIn('sven');

  // Admin and oneself can't be deleted.
  await expect(page.getByRole('button', { name: 'Delete admin' })).toHaveAttribute('aria-disabled', 'true');
  const ask = () => row(page, 'tilda').getByRole('button', { name: 'Delete tilda' }).click();
  await confirmTwice(page, ask, 'Are you sure to delete tilda?');
  await expect(row(page, 'tilda')).toBeHidden();
});

test('a user is added by the rules of the form', async ({ page }) => {
  await addGroup('Finance');
  await open(page, '/system/users');
  await page.getByRole('button', { name: 'Create User' }).click();
  const form = dialog(page, 'Add User');
  const created = page.waitForRequest('**/api/user/create');
  await form.getByRole('button', { name: 'Save' }).click();
  for (const text of ['Please input your user name!', 'Password is required!', 'Role is required!'])
    await expect(form.getByText(text)).toBeVisible();
  await expect(form.getByText('Qlik User ID is required!')).toBeVisible();

  const canCreate = form.getByRole('checkbox', { name: 'Can Create Kapsule' });
  await expect(canCreate).toBeChecked();
  await form.getByText('ADMIN', { exact: true }).click();
  await expect(form.getByLabel('Group', { exact: true })).toBeHidden();
  await expect(canCreate).toBeChecked();
  await expect(canCreate).toBeDisabled();
  const reloaded = page.waitForRequest('**/api/group/list');
  await form.getByText('USER', { exact: true }).click();
  await reloaded;
  await expect(canCreate).toBeEnabled();

  await form.getByLabel('User Name').fill('rosa');
  await form.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await form.getByLabel('Qlik User ID').fill('CORP\\rosa');
  await choose(page, 'Add User', 'Group', 'Finance');
  // As if the login were older than 15 minutes, and the settings asked again.
  const needed = { code: 'PROOF_NEEDED', message: 'Please confirm that it is you.' };
  const asked = { statusCode: 403, ...needed, requestId: 'r', details: { methods: ['password'] } };
  await page.route('**/api/user/create', (route) => route.fulfill({ status: 403, json: asked }), {
    times: 1,
  });
  await form.getByRole('button', { name: 'Save' }).click();
  const proof = dialog(page, 'Confirm that it is you');
  await expect(proof.getByLabel('Password')).toBeFocused();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(form).toBeHidden();
  await expect(row(page, 'rosa')).toContainText('USER');
  expect((await created).postDataJSON()).toMatchObject({
    username: 'rosa',
    role: 'USER',
    groups: [{ id: expect.any(String), groupname: 'Finance' }],
    qlikId: 'CORP\\rosa',
    isCreate: true,
  });
});

test('only admin can unlock, and only locked users', { tag: '@full' }, async ({ page }) => {
  await addUser(own, 'uwe');
  await addUser(own, 'berta', 'ADMIN');
  for (let count = 0; count < 5; count++) await own.logIn('uwe', 'wrong password').catch(() => undefined);
  await open(page, '/system/users', 'berta');
  await expect(row(page, 'uwe')).toContainText('Locked');
  await expect(page.getByRole('button', { name: /^Unlock/ })).toHaveCount(0);
  await open(page, '/system/users');
  await expect(page.getByRole('button', { name: /^Unlock/ })).toHaveCount(1);
  const ask = () => row(page, 'uwe').getByRole('button', { name: 'Unlock uwe' }).click();
  await confirmTwice(page, ask, 'Are you sure to unlock uwe?');
  await expect(row(page, 'uwe')).toContainText('Active');
  await own.logIn('uwe');
});

test('lists that cannot be loaded are empty, without an error', { tag: '@full' }, async ({ page }) => {
  await page.route(/\/api\/(user|group|privatekey)\/list/, (route) =>
    route.fulfill({ status: 500, json: {} }),
  );
  for (const path of ['/system/users', '/system/groups', '/data/apikey']) {
    await openAs(page, own, path);
    await expect(page.getByRole('heading', { name: /^No .* to show$/ })).toBeVisible();
    await expect(page.locator('.ant-message-notice, .ant-notification-notice, [role=alert]')).toHaveCount(0);
  }
});

test('a group is created by the rules of the form, and grants its authority', async ({ page }) => {
  await addUser(own, 'vera');
  await addUser(own, 'xenia', 'ADMIN');
  await open(page, '/system/groups');
  await page.getByRole('button', { name: 'Create Group' }).click();
  const form = dialog(page, 'Create Group');
  const [read, remove] = [form.getByLabel('READ'), form.getByLabel('DELETE', { exact: true })];
  await expect(read).toBeChecked();
  await remove.uncheck();
  await read.uncheck();
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('Please input your group name!')).toBeVisible();
  await expect(form.getByText('Please select your Group Permission!')).toBeVisible();
  await remove.check();
  await expect(read).toBeChecked();

  await form.getByLabel('Group name').fill('Sales');
  await form.getByLabel('Users', { exact: true }).click();
  await expect(page.locator('.ant-select-item-option').filter({ hasText: 'xenia' })).toHaveCount(0);
  await page.locator('.ant-select-item-option').filter({ hasText: 'vera' }).click();
  await form.getByText('Create Group').first().click();
  await choose(page, 'Create Group', 'Kapsules', 'Inventory');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form).toBeHidden();
  await expect(row(page, 'Sales')).toContainText('READDELETE');
  await row(page, 'Sales').getByRole('button', { name: 'Kapsules of Sales: 1' }).click();
  await expect(dialog(page, 'Kapsules of Sales')).toContainText('Inventory');
  const seen = await own.client(await own.logIn('vera')).kapsules.list();
  expect(seen.map(({ name, authority }) => ({ name, authority }))).toEqual([
    { name: 'Inventory', authority: ['READ', 'DELETE'] },
  ]);
});

test('a group is deleted only after Yes; one changed by another admin is not overwritten, and save errors are only logged', {
  tag: '@full',
}, async ({ page }) => {
  await addGroup('Temps');
  const { _id } = await addGroup('Support');
  const logged: string[] = [];
  page.on('console', (line) => line.type() === 'error' && logged.push(line.text()));
  await open(page, '/system/groups');
  const ask = () => page.getByRole('button', { name: 'Delete Temps' }).click();
  await confirmTwice(page, ask, 'Are you sure to delete Temps?');
  await expect(row(page, 'Temps')).toBeHidden();

  await row(page, 'Support').getByRole('button', { name: 'Edit Support' }).click();
  const body = { groupId: _id, groupname: 'Support EU', authority: ['READ' as const] };
  await admin.groups.update({ params: { groupId: _id }, body });
  const form = dialog(page, 'Update Group');
  await form.getByLabel('Group name').fill('Support US');
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText(/Another user has changed this group/)).toBeVisible();
  await expect(form.getByLabel('Group name')).toHaveValue('Support US');
  expect(logged.join()).toContain('This was changed meanwhile');
  expect((await admin.groups.list()).map(({ groupname }) => groupname)).toContain('Support EU');
});

test('an API key is generated, copied, stored, masked and deleted', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await open(page, '/data/apikey');
  await page.getByRole('button', { name: 'Create Api Key' }).click();
  const form = dialog(page, 'Create Api Key');
  const [key, save] = [form.getByLabel('API key'), form.getByRole('button', { name: /Create$/ })];
  await expect(key).toHaveAttribute('rows', '3');
  await save.click();
  await expect(form.getByText('Please input your ApiKey Name!')).toBeVisible();
  await expect(form.getByText('Please input or generate your ApiKey!')).toBeVisible();
  await form.getByLabel('Name').fill('Load script');
  await key.fill('too short');
  await save.click();
  await expect(form.getByRole('alert').filter({ hasText: 'at least 32' })).toBeVisible();
  await form.getByRole('button', { name: 'Generate' }).click();
  await expect(key).toHaveValue(/^kpt_[\w-]{43}$/);
  await form.getByRole('button', { name: 'Copy' }).click();
  await expectMessage(page, 'Copy successfully!');
  await form.getByLabel('Expires').click();
  await page.getByTitle('In 90 days').click();
  const whole = await key.inputValue();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(whole);
  await save.click();
  await expect(form).toBeHidden();
  await expect(row(page, 'Load script')).toContainText(`…${whole.slice(-4)}`);
  await expect(row(page, 'Load script')).not.toContainText(whole);
  const ask = () => page.getByRole('button', { name: 'Delete Load script' }).click();
  await confirmTwice(page, ask, 'Are you sure to delete Load script?');
  await expect(row(page, 'Load script')).toBeHidden();
});

test('the audit trail shows who did what, and a user links to their own entries', { tag: '@full' }, async ({
  page,
}) => {
  const userId = await addUser(own, 'yara');
  await open(page, '/system/users');
  await page.getByRole('button', { name: 'Audit entries of yara' }).click();
  await expect(page).toHaveURL(new RegExp(encodeURIComponent(`user:${userId}`)));
  const entries = page.locator('tbody tr[data-row-key]').filter({ hasNot: page.locator('th') });
  await expect(entries.first()).toContainText('User created');
  await expect(entries.first()).toContainText('admin');
  await expectAbove(page.getByRole('columnheader', { name: 'When' }), entries.first());
  await entries
    .first()
    .getByRole('button', { name: /^Show details of/ })
    .click();
  await expect(page.getByText('CORP\\yara')).toBeVisible();
  await expect(page.getByText(PASSWORD)).toHaveCount(0);
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(entries.filter({ hasText: 'Signed in' }).first()).toBeVisible();
  await page.getByPlaceholder('Search in all entries').fill('corp\\YARA');
  await expect(entries).toHaveCount(1);
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Yes' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('user.create');
});
