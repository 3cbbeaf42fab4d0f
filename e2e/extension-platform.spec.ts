import {
  COMMENT,
  cell,
  inSheet,
  logInTo,
  type SheetStory,
  signIn,
  startSheetStory,
  test,
  type,
} from './fixtures/sheet-story.ts';
import { expect, expectContrast } from './fixtures/test.ts';

let story: SheetStory;

test.beforeAll(async () => {
  story = await startSheetStory();
});
test.afterAll(() => story?.stop());

// All other stories run in the newest release.
for (const [index, stardust] of ['3', '5', '7'].entries())
  test(`the table renders, signs in, takes keys and saves in stardust ${stardust}`, async ({ context }) => {
    const page = await story.openSignedIn(context, { query: { stardust } });
    const row = 20 + 2 * index;
    await type(page, row, `typed in ${stardust}`);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('1.5');
    await page.keyboard.press('Enter');
    await expect(cell(page, row, COMMENT)).toHaveAttribute('data-state', 'saved');
    const stored = async (key: number) => (await story.stored(`K${key}`))?.data;
    await expect.poll(() => stored(row)).toEqual({ Comment: `typed in ${stardust}` });
    await expect.poll(() => stored(row + 1)).toEqual({ Comment: `Note ${row + 1}`, Amount: 1.5 });
    expect(await page.title()).toBe('Sheet');
  });

test('the table is readable in every theme, and follows the theme and the language of the page', async ({
  context,
}) => {
  const page = await story.openSignedIn(context, { query: { theme: 'dark' } });
  const change = (detail: object) =>
    page.evaluate((given) => dispatchEvent(new CustomEvent('context', { detail: given })), detail);
  await expectContrast(page, inSheet);
  // Neither of the others says what is behind its light text.
  for (const theme of ['light', 'clear']) {
    await change({ theme });
    const wanted = theme === 'light' ? 'light' : 'dark';
    await expect(page.locator(inSheet)).toHaveCSS('color-scheme', wanted);
    await expectContrast(page, inSheet);
  }
  await change({ language: 'de-DE' });
  await expect(page.getByRole('status')).toHaveText('Sie schreiben als admin.');
  await expect(page.getByRole('button', { name: 'Rückgängig' })).toBeVisible();
});

test('the author of a sheet chooses the kapsule in a window, or has one made for the key dimension', async ({
  context,
}) => {
  const page = await context.newPage();
  await page.goto(`${story.sheets.empty.origin}/?kapsule=&service=${story.service.url}`);
  const opened = context.waitForEvent('page');
  await page.getByRole('button', { name: 'Choose a kapsule' }).click();
  const popup = await opened;
  await logInTo(popup);
  await popup.getByLabel('Comments are stored in').selectOption('Budget notes');
  await popup.getByLabel('Comments are stored in').selectOption('A new one');
  await popup.getByLabel('Name of the new one').fill('Order notes');
  await popup.getByRole('button', { name: 'Choose' }).click();
  await expect(page.getByRole('columnheader')).toHaveText(['Order', 'Sales', 'Comment']);
  const admin = await story.admin();
  const made = { name: 'Order notes', keyField: 'Order', owner: 'admin' };
  expect(await admin.kapsules.list()).toContainEqual(expect.objectContaining(made));
  const lookedUp = page.waitForResponse(/lookup$/);
  await Promise.all([signIn(page), lookedUp]);
  await type(page, 0, 'into the new one');
  await expect(cell(page, 0, COMMENT)).toHaveAttribute('data-state', 'saved');
});
