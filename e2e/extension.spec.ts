import { type BrowserContext, expect, type Page, test } from '@playwright/test';
import { type Sheets, startSheets } from './fixtures/extension-page.ts';
import { startFilledService } from './fixtures/filled-service.ts';
import { PASSWORD, type RunningService } from './fixtures/service.ts';

let sheets: Sheets;
let service: RunningService;
let kapsuleId = '';

test.beforeAll(async () => {
  sheets = await startSheets();
  const corsAllowOrigins = [sheets.own.origin, sheets.strict.origin];
  service = await startFilledService({ settings: { settings: { corsAllowOrigins } } });
  const admin = service.client((await service.session('admin')).accessToken);
  kapsuleId = (await admin.kapsules.list()).find(({ name }) => name === 'Budget notes')?._id ?? '';
});
test.afterAll(async () => {
  await service?.stop();
  await sheets?.stop();
});

const stored = async (key: string) => {
  const admin = service.client((await service.session('admin')).accessToken);
  const { data } = await admin.dataApi.lookup({ params: { id: kapsuleId }, body: { keys: [key] } });
  return data[0];
};

interface Opened {
  origin?: string;
  /** What else the sheet is set up with. */
  query?: Record<string, string>;
}

/** A sheet in a context; violations of its policy are kept. */
async function openSheet(
  context: BrowserContext,
  { origin = sheets.own.origin, query = {} }: Opened = {},
): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      document.title = `violation: ${violatedDirective} ${blockedURI}`;
    });
  });
  const given = { service: service.url, kapsule: kapsuleId, ...query };
  await page.goto(`${origin}/?${new URLSearchParams(given)}`);
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

async function signedIn(context: BrowserContext, opened?: Opened): Promise<Page> {
  const page = await openSheet(context, opened);
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

test('a block from a spreadsheet fills cells, and shows what is invalid; a forbidden row stays', async ({
  context,
}) => {
  const page = await signedIn(context);
  await cell(page, 10, COMMENT).click();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('first\t1\r\n"two\nlines"\tnothing\r\n'));
  await page.keyboard.press('Control+v');
  await expect(page.getByRole('status')).toContainText('Invalid values, shown in their cells: 1.');
  await expect.poll(async () => (await stored('K10'))?.data).toEqual({ Comment: 'first', Amount: 1 });
  await expect.poll(async () => (await stored('K11'))?.data).toEqual({ Comment: 'two\nlines' });
  await expect(cell(page, 11, COMMENT + 1)).toHaveAttribute('data-state', 'invalid');
  await expect(cell(page, 11, COMMENT + 1)).toHaveText('nothing');
  await page.keyboard.press('Control+z');
  await expect(cell(page, 11, COMMENT + 1)).toHaveText('');
  // The sheet forbids edits of row 8.
  await cell(page, 8, COMMENT).click();
  await page.keyboard.type('forbidden');
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await expect(cell(page, 8, COMMENT)).toHaveAttribute('aria-readonly', 'true');
});

for (const [decision, row, expected] of [
  ['Keep mine', 4, 'second'],
  ['Take theirs', 5, 'first'],
  ['Merge', 9, 'first second'],
] as const)
  test(`a conflict of two windows shows both values: ${decision}`, async ({ context }) => {
    const [one, two] = [await signedIn(context), await signedIn(context)];
    await expect(cell(two, row, COMMENT)).toHaveText(`Note ${row}`);
    // The second person begins before the first one has saved, and sees the change when they are done.
    await cell(two, row, COMMENT).click();
    await two.keyboard.press('F2');
    await type(one, row, 'first');
    await expect.poll(async () => (await stored(`K${row}`))?.data).toEqual({ Comment: 'first' });
    await two.getByRole('textbox', { name: 'Comment' }).fill('second');
    await two.keyboard.press('Enter');
    await expect(cell(two, row, COMMENT)).toHaveAttribute('data-state', 'conflict');
    await cell(two, row, COMMENT).click();
    await two.keyboard.press('Enter');
    const dialog = two.getByRole('dialog');
    await expect(dialog).toContainText('Comment, minesecondComment, theirsfirst');
    await dialog.getByRole('button', { name: decision }).click();
    if (decision === 'Merge') await dialog.getByRole('button', { name: 'Save merged' }).click();
    await expect(cell(two, row, COMMENT)).toHaveAttribute('data-state', 'saved');
    await expect(cell(two, row, COMMENT)).toHaveText(expected);
    await expect.poll(async () => (await stored(`K${row}`))?.data).toEqual({ Comment: expected });
  });

test('every type has its editor, and the Save button sends all edits together', async ({ context }) => {
  const page = await signedIn(context, { origin: sheets.strict.origin, query: { saving: 'button' } });
  const [note, at, state, tags] = [6, 7, 8, 9];
  await cell(page, 20, note).click();
  await page.keyboard.press('Enter');
  await page.keyboard.type('one');
  await page.keyboard.press('Shift+Enter');
  await page.keyboard.type('two');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByLabel('At', { exact: true }).fill('2026-03-04T05:06');
  await page.keyboard.press('Tab');
  await expect(cell(page, 20, at)).toHaveText('2026-03-04 05:06');
  await page.getByRole('button', { name: 'Save' }).click();
  // The required field is empty.
  await expect(cell(page, 20, state)).toHaveAttribute('data-state', 'invalid');
  await expect(page.getByRole('status')).toContainText('Rows with empty required fields: 1.');
  await cell(page, 20, state).click();
  await page.keyboard.type('c');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByLabel('green').check();
  await page.getByLabel('blue').check();
  await page.keyboard.press('Enter');
  await expect(cell(page, 20, tags)).toHaveText('green; blue');
  await expect(cell(page, 20, tags)).toHaveAttribute('data-state', 'waiting');
  expect((await stored('K20'))?.version).toBe(1);
  await page.getByRole('button', { name: 'Save' }).click();
  const written = await page.evaluate(() => new Date(2026, 2, 4, 5, 6).toISOString());
  await expect
    .poll(async () => (await stored('K20'))?.data)
    .toEqual({ Comment: 'Note 20', Note: 'one\ntwo', At: written, State: 'closed', Tags: ['green', 'blue'] });
});

test('what others write appears without a reload, and a cell tells who, when and what was before', async ({
  context,
}) => {
  const [page, other] = [await signedIn(context), await signedIn(context)];
  await expect(cell(page, 12, COMMENT)).toHaveText('Note 12');
  await type(other, 12, 'seen at once');
  await expect(cell(page, 12, COMMENT)).toHaveText('seen at once');
  await cell(page, 12, COMMENT).hover();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText('admin, ');
  await expect(card).toContainText('Earlier valuesNote 12');
  await cell(page, 12, COMMENT).click();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(card).toContainText('Earlier values');
});

test('of 100,000 rows only the visible ones exist, and one look-up serves a screen', async ({ context }) => {
  const page = await signedIn(context, { query: { app: 'app-100000' } });
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
  // The screen at the end, and once more after each event: of the connection and of the save.
  expect(lookups.length).toBeLessThanOrEqual(4);
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
  const evil = await openSheet(context, { origin: sheets.foreign.origin });
  const opened = context.waitForEvent('page');
  await evil.getByRole('button', { name: 'Sign in' }).click();
  const refused = await opened;
  await expect(refused.getByRole('alert')).toContainText('may not use the service');
  await expect(refused.getByRole('textbox')).toHaveCount(0);
});

// The last one, because it ends the sessions of all others.
test('edits wait while the service is away, survive a reload of the page, and are sent after a sign-in', async ({
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
  await service.pause();
  await type(page, 13, 'before the reload');
  await type(page, 14, 'mine');
  await expect(page.getByRole('status')).toContainText('Your edits are kept.');
  await page.reload();
  await expect(page.getByRole('status')).toContainText('Rows of admin kept in this browser: 2.');
  await service.resume();
  const admin = service.client(await service.logIn('admin'));
  const theirs = { granules: [{ key: 'K14', data: { Comment: 'theirs' } }] };
  await admin.dataApi.upsert({ params: { id: kapsuleId }, body: theirs });
  await signIn(page);
  await expect(cell(page, 13, COMMENT)).toHaveText('before the reload');
  await expect(cell(page, 13, COMMENT)).toHaveAttribute('data-state', 'saved');
  await expect(cell(page, 14, COMMENT)).toHaveAttribute('data-state', 'conflict');
  await admin.account.endOtherSessions();
  await type(page, 7, 'after the end');
  await expect(page.getByRole('status')).toContainText('Sign in to see and write comments.');
  await expect(cell(page, 7, COMMENT)).toHaveAttribute('data-state', 'waiting');
  await signIn(page);
  await expect(cell(page, 7, COMMENT)).toHaveAttribute('data-state', 'saved');
  const keys = ['K6', 'K7', 'K13', 'K14'];
  const { data } = await admin.dataApi.lookup({ params: { id: kapsuleId }, body: { keys } });
  expect(data.map((granule) => granule?.data)).toEqual([
    { Comment: 'written offline' },
    { Comment: 'after the end' },
    { Comment: 'before the reload' },
    { Comment: 'theirs' },
  ]);
});
