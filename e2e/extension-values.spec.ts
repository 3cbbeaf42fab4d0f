import type { RuledField } from '@kaptain/contract/field-rules';
import type { Page } from '@playwright/test';
import {
  COMMENT,
  cell,
  logInTo,
  type SheetStory,
  signIn,
  startSheetStory,
  test,
} from './fixtures/sheet-story.ts';
import { expect } from './fixtures/test.ts';

const [AMOUNT, DONE, DUE] = [3, 4, 5];
let story: SheetStory;

test.beforeAll(async () => {
  story = await startSheetStory();
});
test.afterAll(() => story?.stop());

/** Pastes into the cell, as from a spreadsheet. */
async function paste(page: Page, row: number, column: number, text: string): Promise<void> {
  await cell(page, row, column).click();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate((given) => navigator.clipboard.writeText(given), text);
  await page.keyboard.press('Control+v');
}

test('a day is typed with all its keys, and a part of it that is deleted empties nothing', async ({
  context,
}) => {
  const page = await story.openSignedIn(context);
  await cell(page, 1, DUE).click();
  await page.keyboard.type('11/05/2026');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await story.stored('K1'))?.data).toMatchObject({ Due: '2026-11-05' });
  await page.keyboard.type('12/31/2026');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await story.stored('K2'))?.data).toMatchObject({ Due: '2026-12-31' });
  await cell(page, 1, DUE).click();
  await page.keyboard.press('F2');
  await page.keyboard.press('End');
  for (const _ of '05') await page.keyboard.press('Backspace');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Due' })).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Escape');
  await expect(cell(page, 1, DUE)).toHaveText('2026-11-05');
  expect((await story.stored('K1'))?.data).toMatchObject({ Due: '2026-11-05' });
});

test('numbers are read as the app writes them; one with two readings is refused with both, in the language of the sheet', async ({
  context,
}) => {
  const query = { decimal: ',', dates: 'DD.MM.YYYY', language: 'de' };
  const page = await story.open(context, { query });
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Anmelden' }).click();
  await logInTo(await opened);
  await expect(cell(page, 1, COMMENT)).not.toHaveText('');
  await paste(page, 16, AMOUNT, '1.234\n1.5');
  await expect.poll(async () => (await story.stored('K16'))?.data).toMatchObject({ Amount: 1234 });
  await expect(cell(page, 17, AMOUNT)).toHaveAttribute('data-state', 'invalid');
  await cell(page, 17, AMOUNT).click();
  await expect(page.getByRole('tooltip')).toContainText('Amount kann 1,5 oder 15 sein');
});

test('a paste fills all its rows, also those that were never on the screen, and is taken back at once', async ({
  context,
}) => {
  const page = await story.openSignedIn(context, { query: { app: 'app-100000' } });
  const lines = Array.from({ length: 1500 }, (_, n) => `pasted ${n}\t${n}`);
  await paste(page, 3, COMMENT, lines.join('\r\n'));
  for (const [key, n] of [
    ['K3', 0],
    ['K1502', 1499],
  ] as const)
    await expect
      .poll(async () => (await story.stored(key))?.data)
      .toEqual({ Comment: `pasted ${n}`, Amount: n });
  // The sheet forbids edits of row 8.
  await expect(page.getByRole('status')).toContainText('were left out: 2. You write as admin.');
  await page.keyboard.press('Control+z');
  await expect.poll(async () => (await story.stored('K1502'))?.data).toEqual({});
  await expect.poll(async () => (await story.stored('K100'))?.data).toEqual({ Comment: 'Note 100' });
  await expect(page.getByRole('button', { name: 'Undo' })).toBeDisabled();
});

test('undo leaves what another person has written since, and says so', async ({ context }) => {
  const page = await story.openSignedIn(context);
  await cell(page, 18, COMMENT).click();
  await page.keyboard.type('mine');
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await story.stored('K18'))?.data).toEqual({ Comment: 'mine' });
  const admin = await story.admin();
  const theirs = { granules: [{ key: 'K18', data: { Comment: 'theirs' } }] };
  await admin.dataApi.upsert({ params: { id: story.kapsuleId }, body: theirs });
  await expect(cell(page, 18, COMMENT)).toHaveText('theirs');
  await page.keyboard.press('Control+z');
  await expect(page.getByRole('status')).toContainText('others have changed the cells since: 1.');
  expect((await story.stored('K18'))?.data).toEqual({ Comment: 'theirs' });
});

test('keys as fast as those of a scanner go to their rows, though their granules are still looked up', async ({
  context,
}) => {
  await context.route(/granules\/lookup$/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await route.continue();
  });
  const page = await story.openSignedIn(context, { query: { app: 'app-100000' } });
  const first = 2000;
  await cell(page, 0, AMOUNT).click();
  // Rows that were never looked up.
  await page.getByRole('grid').evaluate((grid, top) => grid.scrollTo(0, top), first * 32);
  await cell(page, first, AMOUNT).click();
  const codes = Array.from({ length: 60 }, (_, n) => String(100 + n));
  await page.keyboard.type(codes.map((code) => `${code}\n`).join(''));
  const keys = codes.map((_, n) => `K${first + n}`);
  const admin = await story.admin();
  const amounts = async () => {
    const { data } = await admin.dataApi.lookup({ params: { id: story.kapsuleId }, body: { keys } });
    return data.map((granule) => (granule?.data as { Amount?: number } | undefined)?.Amount);
  };
  await expect.poll(amounts).toEqual(codes.map(Number));
});

test('keys for a row that is still fetched wait for it', async ({ context }) => {
  await context.routeWebSocket(/engineData/, (socket) => {
    const engine = socket.connectToServer();
    engine.onMessage((message) => void setTimeout(() => socket.send(message), 500));
  });
  const page = await story.openSignedIn(context, { query: { app: 'app-100000' } });
  await cell(page, 0, AMOUNT).click();
  await page.keyboard.press('Control+ArrowDown');
  for (const key of '4711') {
    await page.keyboard.press(key);
    await page.waitForTimeout(150);
  }
  await page.keyboard.press('Enter');
  await expect.poll(async () => (await story.stored('K99999'))?.data).toEqual({ Amount: 4711 });
});

test('a text in an open editor is asked about and kept when the page is left', async ({ context }) => {
  const page = await story.openSignedIn(context);
  await cell(page, 19, COMMENT).click();
  await page.keyboard.type('not entered');
  const asked = page.waitForEvent('dialog');
  const reloaded = page.reload();
  const dialog = await asked;
  expect(dialog.type()).toBe('beforeunload');
  await dialog.accept();
  await reloaded;
  await expect(page.getByRole('status')).toContainText('Rows of admin kept in this browser: 1.');
  await signIn(page);
  await expect.poll(async () => (await story.stored('K19'))?.data).toEqual({ Comment: 'not entered' });
});

test('a sheet has the rules of its kapsule, and shows what the service refuses at its cell', async ({
  context,
}) => {
  const admin = await story.admin();
  const fields: RuledField[] = [
    {
      name: 'Comment',
      type: 'choice',
      label: 'Status',
      help: 'How far it is.',
      choices: [{ value: 'late', color: 'red' }],
    },
    { name: 'Amount', type: 'number', max: 100, decimals: 2, unit: 'EUR' },
    { name: 'Done', type: 'person' },
    { name: 'Due', type: 'date', writeOnce: true },
  ];
  const structure = { name: 'Ruled', keyField: 'Order', fields };
  const kapsule = await admin.dataApi.createKapsule({ body: structure });
  const page = await story.open(context, { query: { kapsule: kapsule._id } });
  const rules = page.waitForResponse(/\/fields$/);
  await signIn(page);
  await rules;
  await expect(page.getByRole('columnheader', { name: 'Status' })).toHaveAttribute('title', 'How far it is.');
  await cell(page, 0, COMMENT).click();
  await page.keyboard.type('l');
  await page.keyboard.press('Enter');
  await expect(cell(page, 0, COMMENT)).toHaveAttribute('data-color', 'red');
  await cell(page, 0, AMOUNT).click();
  await page.keyboard.type('101');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Amount' })).toHaveAttribute('aria-invalid', 'true');
  await page.keyboard.press('Control+a');
  await page.keyboard.type('99.5');
  await page.keyboard.press('Enter');
  await expect(cell(page, 0, AMOUNT)).toHaveText('99.50\u00a0EUR');
  await cell(page, 0, DONE).click();
  await page.keyboard.type('ad');
  await expect(page.locator('datalist option')).toHaveAttribute('value', 'admin');
  await page.keyboard.type('min');
  await page.keyboard.press('Enter');
  await cell(page, 0, DUE).click();
  await page.keyboard.type('2026-01-31');
  await page.keyboard.press('Enter');
  await expect(cell(page, 0, DUE)).toHaveAttribute('aria-readonly', 'true');
  // A rule that is newer than the page.
  const stricter = fields.map((field) => (field.name === 'Amount' ? { ...field, max: 10 } : field));
  await admin.kapsules.update({
    params: { id: kapsule._id },
    body: { ...structure, table: '', fields: stricter },
  });
  await paste(page, 1, COMMENT, 'late\t50');
  await expect(cell(page, 1, AMOUNT)).toHaveAttribute('data-state', 'invalid');
  await expect(cell(page, 1, COMMENT)).toHaveAttribute('data-state', 'saved');
  await cell(page, 1, AMOUNT).click();
  await expect(page.getByRole('tooltip')).toContainText('Amount must be at most 10!');
  const { data } = await admin.dataApi.lookup({ params: { id: kapsule._id }, body: { keys: ['K0', 'K1'] } });
  expect(data.map((granule) => granule?.data)).toEqual([
    { Comment: 'late', Amount: 99.5, Done: 'admin', Due: '2026-01-31' },
    { Comment: 'late' },
  ]);
});
