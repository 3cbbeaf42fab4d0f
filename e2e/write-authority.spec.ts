import type { Page } from '@playwright/test';
import { PASSWORD } from './fixtures/service.ts';
import {
  COMMENT,
  cell,
  inSheet,
  type SheetStory,
  signIn,
  startSheetStory,
  test,
  type,
} from './fixtures/sheet-story.ts';
import { addUser, expect, expectAccessible, inDialog, openAs } from './fixtures/test.ts';

let story: SheetStory;
const users = new Map<string, string>();

test.beforeAll(async () => {
  story = await startSheetStory();
  for (const name of ['rita', 'wilma']) await addUser(story.service, name);
  const admin = await story.admin();
  const { data } = await admin.users.list();
  for (const { userId, username } of data) users.set(username, userId);
  const kapsules = [{ kapsulecode: story.kapsuleId }];
  const [rita, wilma] = [users.get('rita') ?? '', users.get('wilma') ?? ''];
  const readers = { groupname: 'Readers', authority: ['READ' as const], kapsules };
  await admin.groups.create({ body: { ...readers, users: [{ userid: rita }, { userid: wilma }] } });
});
test.afterAll(() => story?.stop());

const headings = (page: Page) => page.getByRole('heading', { level: 1 }).waitFor();

test('an ADMIN gives WRITE to a group: its members edit and import in the console, and do not delete', async ({
  page,
}) => {
  await openAs(page, story.service, '/system/groups');
  await headings(page);
  await page.getByRole('button', { name: 'Create Group' }).click();
  const form = page.getByRole('dialog', { name: 'Create Group' });
  const [read, write, remove] = ['READ', 'WRITE', 'DELETE'].map((name) =>
    form.getByRole('checkbox', { name, exact: true }),
  ) as [ReturnType<Page['locator']>, ReturnType<Page['locator']>, ReturnType<Page['locator']>];
  await expect(write).toBeChecked();
  await expect(write).toBeDisabled();
  await remove.uncheck();
  await expect(write).not.toBeChecked();
  await write.check();
  await expect(read).toBeChecked();
  await expect(read).toBeDisabled();
  await expectAccessible(page, inDialog);
  await form.getByLabel('Group name').fill('Writers');
  for (const [field, option] of [
    ['Kapsules', 'Budget notes'],
    ['Users', 'wilma'],
  ] as const) {
    await form.getByLabel(field, { exact: true }).click();
    await page.locator('.ant-select-item-option').filter({ hasText: option }).click();
    await form.getByText('Create Group').first().click();
  }
  await form.getByRole('button', { name: 'Save' }).click();
  const row = page.locator('tbody tr[data-row-key]').filter({ hasText: 'Writers' });
  await expect(row).toContainText('READWRITE');

  const sentence = page.getByText('You may read this kapsule, not write into it.');
  await openAs(page, story.service, `/data/kapsules/${story.kapsuleId}`, 'rita');
  await expect(sentence).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import' })).toHaveCount(0);
  await openAs(page, story.service, `/data/kapsules/${story.kapsuleId}`, 'wilma');
  await expect(page.getByRole('button', { name: 'Import' })).toBeVisible();
  await expect(sentence).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Edit kapsule' })).toHaveCount(0);
  await page
    .getByRole('button', { name: /^Show details of/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const editor = page.getByRole('dialog');
  await editor.getByLabel('Comment').fill('by wilma');
  await editor.getByRole('button', { name: 'Save' }).click();
  await expect(editor).toBeHidden();
  await page.getByLabel('Select all of this page').check();
  await expect(page.getByRole('button', { name: /^Delete Selection/ })).toBeDisabled();
});

test('a sheet tells a reader before they type, and lets them write as soon as they may', async ({
  context,
}) => {
  const page = await story.open(context);
  await signIn(page, PASSWORD, 'rita');
  const status = page.getByRole('status');
  await expect(status).toHaveText('You are signed in as CORP\\rita and may read here, not write.');
  await expect(cell(page, 1, COMMENT)).toHaveAttribute('aria-readonly', 'true');
  await cell(page, 1, COMMENT).click();
  await page.keyboard.type('x');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden();
  await expectAccessible(page, inSheet);

  const admin = await story.admin();
  const group = (await admin.groups.list()).find(({ groupname }) => groupname === 'Readers');
  const groupId = group?._id ?? '';
  const { kapsules = [], users: members = [] } = group ?? {};
  const give = (authority: ('READ' | 'WRITE')[]) =>
    admin.groups.update({
      params: { groupId },
      body: { groupId, groupname: 'Readers', authority, kapsules, users: members },
    });
  await give(['WRITE']);
  // Rows that come into view are looked up.
  await page.getByRole('grid').evaluate((grid) => grid.scrollBy(0, 3000));
  await expect(status).toHaveText('You write as CORP\\rita.');
  await page.getByRole('grid').evaluate((grid) => grid.scrollTo(0, 0));
  await type(page, 1, 'now I may');
  await expect.poll(async () => (await story.stored('K1'))?.data).toMatchObject({ Comment: 'now I may' });

  await give(['READ']);
  await type(page, 2, 'no longer');
  await expect(status).toContainText('may read here, not write.');
  expect((await story.stored('K2'))?.data).toMatchObject({ Comment: 'Note 2' });
  await expect(cell(page, 3, COMMENT)).toHaveAttribute('aria-readonly', 'true');
});
