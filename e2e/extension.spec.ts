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
import { expect, expectAccessible, expectContrast } from './fixtures/test.ts';

let story: SheetStory;

test.beforeAll(async () => {
  story = await startSheetStory();
});
test.afterAll(() => story?.stop());

test('a person signs in, edits with the keyboard, and the comment is stored under their name', async ({
  context,
}) => {
  const page = await story.openSignedIn(context);
  await expect(cell(page, 1, COMMENT)).toHaveText('Note 1');
  await type(page, 1, 'from the sheet');
  await expect(cell(page, 1, COMMENT)).toHaveAttribute('data-state', 'saved');
  await expect(cell(page, 2, COMMENT)).toHaveClass(/active/);
  await expect.poll(async () => (await story.stored('K1'))?.data).toEqual({ Comment: 'from the sheet' });
  expect((await story.stored('K1'))?.user).toBe('admin');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type('1.5');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect.poll(async () => (await story.stored('K2'))?.data).toMatchObject({ Amount: 1.5, Done: true });
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await story.stored('K2'))?.data).toEqual({ Comment: 'Note 2', Amount: 1.5 });
  await page.keyboard.press('Control+Shift+Z');
  await expect.poll(async () => (await story.stored('K2'))?.data).toMatchObject({ Amount: 1.5, Done: true });
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await story.stored('K2'))?.data).toEqual({ Comment: 'Note 2', Amount: 1.5 });
  await page.keyboard.press('Control+y');
  await expect.poll(async () => (await story.stored('K2'))?.data).toMatchObject({ Amount: 1.5, Done: true });
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await story.stored('K2'))?.data).toEqual({ Comment: 'Note 2', Amount: 1.5 });
  // A selection in another object of the sheet leaves two rows; edits stay with their keys.
  await page.evaluate(() => dispatchEvent(new CustomEvent('select', { detail: [1, 17] })));
  await expect(cell(page, 1, 0)).toHaveText('K17');
  await type(page, 1, 'selected');
  await expect.poll(async () => (await story.stored('K17'))?.data).toEqual({ Comment: 'selected' });
  expect(await page.title()).toBe('Sheet');
});

test('an invalid value stays in its editor, and Escape gives it up', async ({ context }) => {
  const page = await story.openSignedIn(context);
  await cell(page, 3, COMMENT + 1).click();
  await page.keyboard.type('many');
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Amount' });
  await expect(editor).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(editor).toBeHidden();
  await expect(cell(page, 3, COMMENT + 1)).toHaveText('');
  expect((await story.stored('K3'))?.version).toBe(1);
});

test('a block from a spreadsheet fills cells, and shows what is invalid; a forbidden row stays', async ({
  context,
}) => {
  const page = await story.openSignedIn(context);
  await cell(page, 10, COMMENT).click();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(() => navigator.clipboard.writeText('first\t1\r\n"two\nlines"\tnothing\r\n'));
  await page.keyboard.press('Control+v');
  await expect(page.getByRole('button', { name: '1 invalid' })).toBeVisible();
  await expect.poll(async () => (await story.stored('K10'))?.data).toEqual({ Comment: 'first', Amount: 1 });
  await expect.poll(async () => (await story.stored('K11'))?.data).toEqual({ Comment: 'two\nlines' });
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

for (const [decision, row, expected, tag] of [
  ['Keep mine', 4, 'second', '@full'],
  ['Take theirs', 5, 'first', '@full'],
  ['Merge', 9, 'first second', '@usual'],
] as const)
  test(`a conflict of two windows shows both values: ${decision}`, { tag }, async ({ context }) => {
    const [one, two] = [await story.openSignedIn(context), await story.openSignedIn(context)];
    await expect(cell(two, row, COMMENT)).toHaveText(`Note ${row}`);
    // The second person begins before the first one has saved, and sees the change when they are done.
    await cell(two, row, COMMENT).click();
    await two.keyboard.press('F2');
    await type(one, row, 'first');
    await expect.poll(async () => (await story.stored(`K${row}`))?.data).toEqual({ Comment: 'first' });
    await two.getByRole('textbox', { name: 'Comment' }).fill('second');
    await two.keyboard.press('Enter');
    await expect(cell(two, row, COMMENT)).toHaveAttribute('data-state', 'conflict');
    await cell(two, 0, 0).click();
    await two.getByRole('button', { name: '1 conflict' }).click();
    await two.keyboard.press('Enter');
    const dialog = two.getByRole('dialog');
    await expect(dialog).toContainText(`K${row} · 20`);
    await expect(dialog).toContainText('Comment, minesecondComment, theirsfirst');
    await dialog.getByRole('button', { name: decision }).click();
    if (decision === 'Merge') await dialog.getByRole('button', { name: 'Save merged' }).click();
    await expect(cell(two, row, COMMENT)).toHaveAttribute('data-state', 'saved');
    await expect(cell(two, row, COMMENT)).toHaveText(expected);
    await expect.poll(async () => (await story.stored(`K${row}`))?.data).toEqual({ Comment: expected });
  });

test('every type has its editor, and the Save button sends all edits together', async ({ context }) => {
  const page = await story.openSignedIn(context, {
    origin: story.sheets.strict.origin,
    query: { saving: 'button' },
  });
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
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  // The required field is empty.
  await expect(cell(page, 20, state)).toHaveAttribute('data-state', 'invalid');
  await expect(page.getByRole('button', { name: '1 invalid' })).toBeVisible();
  await cell(page, 20, state).click();
  await page.keyboard.type('c');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('checkbox', { name: 'green' }).check();
  await page.getByRole('checkbox', { name: 'blue' }).check();
  await page.keyboard.press('Enter');
  await expect(cell(page, 20, tags)).toHaveText('green; blue');
  await expect(cell(page, 20, tags)).toHaveAttribute('data-state', 'waiting');
  expect((await story.stored('K20'))?.version).toBe(1);
  await page.setViewportSize({ width: 390, height: 600 });
  await expectAccessible(page, inSheet);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const written = await page.evaluate(() => new Date(2026, 2, 4, 5, 6).toISOString());
  await expect
    .poll(async () => (await story.stored('K20'))?.data)
    .toEqual({ Comment: 'Note 20', Note: 'one\ntwo', At: written, State: 'closed', Tags: ['green', 'blue'] });
});

test('what others write appears without a reload, and a cell tells who, when and what was before', async ({
  context,
}) => {
  const [page, other] = [await story.openSignedIn(context), await story.openSignedIn(context)];
  await expect(cell(page, 12, COMMENT)).toHaveText('Note 12');
  await type(other, 12, 'seen at once');
  await expect(cell(page, 12, COMMENT)).toHaveText('seen at once');
  await cell(page, 12, COMMENT).hover();
  const card = page.getByRole('tooltip');
  await expect(card).toContainText('admin, ');
  await expect(card).toContainText('Earlier valuesNote 12');
  await expectAccessible(page, inSheet);
  await cell(page, 12, COMMENT).click();
  await page.keyboard.press('Escape');
  await expect(card).toBeHidden();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(card).toContainText('Earlier values');
  await page.evaluate(() => dispatchEvent(new Event('snapshot')));
  await page.waitForFunction(() => localStorage.getItem('snapshot') !== null);
  await page.goto(`${story.sheets.own.origin}/?snapshot=&theme=dark`);
  await expect(page.getByRole('cell', { name: 'seen at once' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expectContrast(page, inSheet);
});

test('of 100,000 rows only the visible ones exist, and one look-up serves a screen', async ({ context }) => {
  const page = await story.openSignedIn(context, { query: { app: 'app-100000' } });
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
  await expect.poll(async () => (await story.stored('K99999'))?.data).toEqual({ Comment: 'the last one' });
  // The screen at the end, and once more after each event: of the connection and of the save.
  expect(lookups.length).toBeLessThanOrEqual(4);
  expect(Math.max(...lookups)).toBeLessThan(40);
});

test('on the same host name the session of Qlik Sense proves who is writing, without a window', async ({
  context,
}) => {
  const { own, simulator } = story.sheets;
  simulator.sessions.set('0a1b2c3d-session', { prefix: '', userDirectory: 'CORP', userId: 'zoe' });
  await context.addCookies([{ name: 'X-Qlik-Session', value: '0a1b2c3d-session', url: own.origin }]);
  const sameHost = { query: { service: story.service.url.replace('localhost', '127.0.0.1') } };
  const refused = await story.open(context, sameHost);
  await expect(refused.getByRole('button', { name: 'Sign in' })).toBeVisible();
  const admin = await story.admin();
  const setWriters = (writers: 'EVERYONE' | 'DELETE') =>
    admin.kapsules.setWriters({ params: { id: story.kapsuleId }, body: { writers } });
  await setWriters('EVERYONE');
  const page = await story.open(context, sameHost);
  await expect(page.getByRole('status')).toHaveText('You write as CORP\\zoe.');
  await type(page, 15, 'proven');
  await expect.poll(async () => (await story.stored('K15'))?.user).toBe('CORP\\zoe');
  await setWriters('DELETE');
  await type(page, 16, 'no longer');
  await expect(cell(page, 16, COMMENT)).toHaveAttribute('data-state', 'failed');
});

test('a wrong password is told in the window, and a page that is not allowed sees no form', {
  tag: '@full',
}, async ({ context }) => {
  const page = await story.open(context);
  const popup = await signIn(page, 'wrong password');
  // A message of another window is not taken for the code.
  await page.evaluate(() => {
    const state = 's'.repeat(43);
    window.postMessage({ type: 'kaptain-sign-in', code: 'c'.repeat(43), state }, window.origin);
  });
  await expect(popup.getByRole('alert')).toContainText('Invalid username or password');
  await expectAccessible(popup);
  await popup.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(popup);
  await popup.close();
  await expect(page.getByRole('status')).toContainText('The sign-in was not finished.');
  const evil = await story.open(context, { origin: story.sheets.foreign.origin });
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
  const page = await story.openSignedIn(context);
  await expect(cell(page, 6, COMMENT)).toHaveText('Note 6');
  await context.setOffline(true);
  await type(page, 6, 'written offline');
  await expect(cell(page, 6, COMMENT)).toHaveAttribute('data-state', 'waiting');
  await expect(page.getByRole('status')).toContainText('Your edits are kept.');
  await context.setOffline(false);
  await expect(cell(page, 6, COMMENT)).toHaveAttribute('data-state', 'saved');
  await story.service.pause();
  await type(page, 13, 'before the reload');
  await type(page, 14, 'mine');
  await expect(page.getByRole('status')).toContainText('Your edits are kept.');
  await page.reload();
  await expect(page.getByRole('status')).toContainText('Rows of admin kept in this browser: 2.');
  await story.service.resume();
  const admin = story.service.client(await story.service.logIn('admin'));
  const theirs = { granules: [{ key: 'K14', data: { Comment: 'theirs' } }] };
  await admin.dataApi.upsert({ params: { id: story.kapsuleId }, body: theirs });
  await signIn(page);
  await expect(cell(page, 13, COMMENT)).toHaveText('before the reload');
  await expect(cell(page, 13, COMMENT)).toHaveAttribute('data-state', 'saved');
  await expect(cell(page, 14, COMMENT)).toHaveAttribute('data-state', 'conflict');
  // Its rows are there; offline, so that it learns of the end by the save.
  await expect(cell(page, 6, COMMENT)).toHaveText('written offline');
  await context.setOffline(true);
  await type(page, 7, 'after the end');
  await admin.account.endOtherSessions();
  await context.setOffline(false);
  await expect(page.getByRole('status')).toContainText('Sign in to see and write comments.');
  await expect(cell(page, 7, COMMENT)).toHaveAttribute('data-state', 'waiting');
  await signIn(page);
  await expect(cell(page, 7, COMMENT)).toHaveAttribute('data-state', 'saved');
  const keys = ['K6', 'K7', 'K13', 'K14'];
  const { data } = await admin.dataApi.lookup({ params: { id: story.kapsuleId }, body: { keys } });
  const wanted = ['written offline', 'after the end', 'before the reload', 'theirs'];
  expect(data.map((granule) => granule?.data)).toEqual(wanted.map((Comment) => ({ Comment })));
});
