import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { type ExtensionPage, startExtensionPage } from './fixtures/extension-page.ts';
import { startFilledService } from './fixtures/filled-service.ts';
import { PASSWORD, type RunningService } from './fixtures/service.ts';

let sheet: ExtensionPage;
let service: RunningService;
let kapsuleId = '';

test.beforeAll(async () => {
  sheet = await startExtensionPage();
  service = await startFilledService({ settings: { settings: { corsAllowOrigins: [sheet.origin] } } });
  const admin = service.client((await service.session('admin')).accessToken);
  kapsuleId = (await admin.kapsules.list()).find(({ name }) => name === 'Budget notes')?._id ?? '';
});
test.afterAll(async () => {
  await service?.stop();
  await sheet?.stop();
});

const stored = async (key: string) => {
  const admin = service.client((await service.session('admin')).accessToken);
  const { data } = await admin.dataApi.lookup({ params: { id: kapsuleId }, body: { keys: [key] } });
  return data[0];
};

/** A sheet in a context; violations of its policy are kept. */
async function openSheet(context: BrowserContext, rows = 300, origin = sheet.origin): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      document.title = `violation: ${violatedDirective} ${blockedURI}`;
    });
  });
  const query = new URLSearchParams({ service: service.url, kapsule: kapsuleId, rows: String(rows) });
  await page.goto(`${origin}/?${query}`);
  await expect(page.getByRole('grid')).toBeVisible();
  return page;
}

async function signIn(page: Page, password = PASSWORD): Promise<Page> {
  const opened = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Sign in' }).click();
  const popup = await opened;
  await popup.getByLabel('Username').fill('admin');
  await popup.getByLabel('Password').fill(password);
  await popup.getByRole('button', { name: 'Sign in' }).click();
  return popup;
}

async function signedIn(context: BrowserContext, rows?: number): Promise<Page> {
  const page = await openSheet(context, rows);
  await signIn(page);
  await expect(page.getByRole('status')).toHaveText('You write as admin.');
  return page;
}

/** A cell of a column, by its row's place in the table. */
const cell = (page: Page, row: number, column: number) =>
  page.locator(`[role=row][aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 1}"]`);
const COMMENT = 2;

async function type(page: Page, row: number, text: string, end = 'Enter'): Promise<void> {
  await cell(page, row, COMMENT).click();
  await page.keyboard.press('F2');
  await page.getByRole('textbox', { name: 'Comment' }).fill(text);
  await page.keyboard.press(end);
}

test('a person signs in, edits with the keyboard, and the comment is stored under their name', async ({
  context,
}) => {
  const page = await signedIn(context);
  await expect(cell(page, 1, COMMENT)).toHaveText('Note 1');
  await type(page, 1, 'from the sheet');
  await expect(cell(page, 1, COMMENT)).toHaveAttribute('data-state', 'saved');
  await expect(cell(page, 2, COMMENT)).toHaveClass(/active/);
  await expect.poll(async () => (await stored('K1'))?.data).toEqual({ Comment: 'from the sheet' });
  expect((await stored('K1'))?.user).toBe('admin');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1,5');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(async () => (await stored('K2'))?.data).toMatchObject({ Amount: 1.5, Done: true });
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await stored('K2'))?.data).toEqual({ Comment: 'Note 2', Amount: 1.5 });
  expect(await page.title()).toBe('Sheet');
});

test('an invalid value stays in its editor, and Escape gives it up', async ({ context }) => {
  const page = await signedIn(context);
  await cell(page, 3, COMMENT + 1).click();
  await page.keyboard.type('many');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Amount' });
  await expect(editor).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  await expect(cell(page, 3, COMMENT + 1)).toHaveText('');
  expect((await stored('K3'))?.version).toBe(1);
});

test('a block from a spreadsheet fills cells, and those that do not fit are told', async ({ context }) => {
  const page = await signedIn(context);
  await cell(page, 10, COMMENT).click();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('first\t1\r\n"two\nlines"\tnothing\r\n'));
  await page.keyboard.press('Control+v');
  await expect(page.getByRole('status')).toContainText('do not fit and were left out: 1.');
  await expect.poll(async () => (await stored('K10'))?.data).toEqual({ Comment: 'first', Amount: 1 });
  await expect.poll(async () => (await stored('K11'))?.data).toEqual({ Comment: 'two\nlines' });
});

for (const [decision, expected] of [
  ['Keep mine', 'second'],
  ['Take theirs', 'first'],
] as const)
  test(`a conflict of two windows shows both values: ${decision}`, async ({ context }) => {
    const row = decision === 'Keep mine' ? 4 : 5;
    const [one, two] = [await signedIn(context), await signedIn(context)];
    await expect(cell(two, row, COMMENT)).toHaveText(`Note ${row}`);
    await type(one, row, 'first');
    await expect.poll(async () => (await stored(`K${row}`))?.data).toEqual({ Comment: 'first' });
    await type(two, row, 'second');
    await expect(cell(two, row, COMMENT)).toHaveAttribute('data-state', 'conflict');
    await cell(two, row, COMMENT).click();
    await two.keyboard.press('Enter');
    const dialog = two.getByRole('dialog');
    await expect(dialog).toContainText('Comment, minesecondComment, theirsfirst');
    await dialog.getByRole('button', { name: decision }).click();
    await expect(cell(two, row, COMMENT)).toHaveAttribute('data-state', 'saved');
    await expect(cell(two, row, COMMENT)).toHaveText(expected);
    await expect.poll(async () => (await stored(`K${row}`))?.data).toEqual({ Comment: expected });
  });

test('of 100,000 rows only the visible ones exist, and one look-up serves a screen', async ({ context }) => {
  const page = await signedIn(context, 100_000);
  await expect(cell(page, 0, COMMENT)).toHaveText('Note 0');
  const lookups: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/lookup') && request.method() === 'POST')
      lookups.push((request.postDataJSON() as { keys: string[] }).keys.length);
  });
  await cell(page, 0, 0).click();
  await page.keyboard.press('Control+End');
  await expect(cell(page, 99_999, 0)).toHaveText('K99999');
  await expect(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '100001');
  expect(await page.getByRole('row').count()).toBeLessThan(40);
  await type(page, 99_999, 'the last one');
  await expect.poll(async () => (await stored('K99999'))?.data).toEqual({ Comment: 'the last one' });
  expect(lookups.length).toBeLessThanOrEqual(2);
  expect(Math.max(...lookups)).toBeLessThan(40);
});

test('a wrong password is told in the window, and a page that is not allowed sees no form', async ({
  context,
}) => {
  const page = await openSheet(context);
  const popup = await signIn(page, 'wrong password');
  // A message of another window is not taken for the code.
  await page.evaluate(() => {
    const state = 's'.repeat(43);
    window.postMessage({ type: 'kaptain-sign-in', code: 'c'.repeat(43), state }, window.origin);
  });
  await expect(popup.getByRole('alert')).toContainText('Invalid username or password');
  await popup.close();
  await expect(page.getByRole('status')).toContainText('The sign-in was not finished.');
  const foreign = await startExtensionPage();
  const evil = await openSheet(context, 20, foreign.origin);
  const opened = context.waitForEvent('page');
  await evil.getByRole('button', { name: 'Sign in' }).click();
  const refused = await opened;
  await expect(refused.getByRole('alert')).toContainText('may not use the service');
  await expect(refused.getByRole('textbox')).toHaveCount(0);
  await foreign.stop();
});

// The last one, because it ends the sessions of all others.
test('edits wait while the service is away or the sign-in has ended, and are sent afterwards', async ({
  context,
}) => {
  const page = await signedIn(context);
  await expect(cell(page, 6, COMMENT)).toHaveText('Note 6');
  await context.setOffline(true);
  await type(page, 6, 'written offline');
  await expect(cell(page, 6, COMMENT)).toHaveAttribute('data-state', 'waiting');
  await expect(page.getByRole('status')).toContainText('Your edits are kept.');
  await context.setOffline(false);
  await expect(cell(page, 6, COMMENT)).toHaveAttribute('data-state', 'saved');
  const admin = service.client(await service.logIn('admin'));
  await admin.account.endOtherSessions();
  await type(page, 7, 'after the end');
  await expect(page.getByRole('status')).toContainText('Sign in to see and write comments.');
  await expect(cell(page, 7, COMMENT)).toHaveAttribute('data-state', 'waiting');
  await signIn(page);
  await expect(cell(page, 7, COMMENT)).toHaveAttribute('data-state', 'saved');
  await admin.session.logout();
  const present = service.client(await service.logIn('admin'));
  const { data } = await present.dataApi.lookup({ params: { id: kapsuleId }, body: { keys: ['K6', 'K7'] } });
  expect(data.map((granule) => granule?.data)).toEqual([
    { Comment: 'written offline' },
    { Comment: 'after the end' },
  ]);
});
