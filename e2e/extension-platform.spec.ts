import type { Locator } from '@playwright/test';
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
  // In the edit mode of the sheet, where the property panel is.
  const query = { kapsule: '', service: story.service.url, constraints: 'active passive' };
  await page.goto(`${story.sheets.empty.origin}/?${new URLSearchParams(query)}`);
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
  const all = { active: true, passive: true };
  const isRead = { constraints: { active: false, passive: false }, interactions: all };
  await page.evaluate((detail) => dispatchEvent(new CustomEvent('context', { detail })), isRead);
  const lookedUp = page.waitForResponse(/lookup$/);
  await Promise.all([signIn(page), lookedUp]);
  await type(page, 0, 'into the new one');
  await expect(cell(page, 0, COMMENT)).toHaveAttribute('data-state', 'saved');
});

test('the key stays in sight, cells stand under their headings, and an editable column is seen on a phone', async ({
  context,
}) => {
  for (const direction of ['ltr', 'rtl']) {
    const page = await story.openSignedIn(context, { query: { direction } });
    await page.setViewportSize({ width: 390, height: 420 });
    const left = async (at: Locator) => Math.round((await at.boundingBox())?.x ?? Number.NaN);
    const heading = (index: number) => page.getByRole('columnheader').nth(index);
    const key = await left(heading(0));
    await expect(cell(page, 1, COMMENT)).toBeInViewport({ ratio: 0.6 });
    await cell(page, 1, 0).click();
    for (let column = 0; column < 9; column += 1) {
      await page.keyboard.press('ArrowRight');
      await expect(cell(page, 1, column + 1)).toBeInViewport();
    }
    for (const index of [0, 5, 9]) expect(await left(cell(page, 1, index))).toBe(await left(heading(index)));
    expect(await left(cell(page, 1, 0))).toBe(key);
    await page.setViewportSize({ width: 266, height: 176 });
    await expect(cell(page, 1, 0)).toBeInViewport();
    await page.close();
  }
});

test('the details of a cell cover no row below it, and a click goes through them', async ({ context }) => {
  const page = await story.openSignedIn(context);
  const details = page.getByRole('tooltip');
  for (const row of [3, 4, 5]) {
    await cell(page, row, COMMENT).click();
    await expect(details).toContainText('CORP\\mara');
    const [at, card] = [await cell(page, row, COMMENT).boundingBox(), await details.boundingBox()];
    expect((card?.y ?? 0) + (card?.height ?? 0)).toBeLessThanOrEqual((at?.y ?? 0) + (at?.height ?? 0) + 1);
  }
  // The neighbour that they cover takes the click.
  await cell(page, 5, COMMENT + 1).click();
  await expect(cell(page, 5, COMMENT + 1)).toHaveClass(/active/);
  await expect(details).toBeHidden();
});

test('the bar says what was saved and what was not, and goes to it', async ({ context }) => {
  const page = await story.openSignedIn(context, { query: { app: 'app-100000' } });
  await type(page, 12, 'stored');
  await expect(cell(page, 12, COMMENT)).toHaveAttribute('data-fresh', '');
  await page.keyboard.press('Control+End');
  await expect(cell(page, 99_999, 0)).toHaveText('K99999');
  await expect(cell(page, 99_998, COMMENT)).not.toHaveAttribute('aria-busy', 'true');
  // The service alone can't be reached: the platform has to answer with the rows at the other end.
  const calls = `${story.service.url}/**`;
  await page.route(calls, (route) => route.abort());
  await type(page, 99_998, 'far away');
  await cell(page, 99_990, 0).click();
  await page.keyboard.press('Control+Home');
  await expect(cell(page, 0, 0)).toHaveText('K0');
  await page.getByRole('button', { name: '1 not saved' }).click();
  await expect(cell(page, 99_998, COMMENT)).toHaveClass(/active/);
  await page.getByRole('button', { name: /Saved at/ }).click();
  await expect(cell(page, 12, COMMENT)).toHaveClass(/active/);
  await page.unroute(calls);
  await expect(page.getByRole('button', { name: '1 not saved' })).toBeHidden();
});

test('typing before the sign-in opens a way to it', async ({ context }) => {
  const page = await story.open(context);
  await expect(cell(page, 1, 0)).toHaveText('K1');
  await cell(page, 1, COMMENT).click();
  await page.keyboard.type('x');
  const box = page.getByRole('dialog', { name: 'Sign in to write' });
  await expect(box).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box).toBeHidden();
  await page.keyboard.press('F2');
  const opened = context.waitForEvent('page');
  await box.getByRole('button', { name: 'Sign in' }).click();
  await logInTo(await opened);
  await expect(cell(page, 1, COMMENT)).toHaveText('Note 1');
});

test('with keyboard navigation the table has stops of the Tab key only while the person is in it', async ({
  context,
}) => {
  const page = await story.open(context, { query: { keyboard: '' } });
  const grid = page.getByRole('grid');
  await expect(grid).toHaveAttribute('tabindex', '-1');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(grid).toBeFocused();
  await expect(grid).toHaveAttribute('tabindex', '0');
  await page.keyboard.press('Escape');
  await expect(grid).toHaveAttribute('tabindex', '-1');
  await expect(grid).not.toBeFocused();
});

test('a deleted kapsule is said in the bar, and its cells take nothing', async ({ context }) => {
  const admin = await story.admin();
  const made = {
    name: 'Short-lived',
    keyField: 'Order',
    fields: [{ name: 'Comment', type: 'text' as const }],
  };
  const { _id } = await admin.dataApi.createKapsule({ body: made });
  const gone = await story.open(context, { query: { kapsule: _id } });
  await signIn(gone);
  await expect(gone.getByRole('status')).toHaveText('You write as admin.');
  await admin.kapsules.remove({ body: { kapsuleIds: [_id] } });
  await cell(gone, 1, COMMENT).click();
  await gone.keyboard.type('too late');
  await gone.keyboard.press('Enter');
  await expect(gone.getByRole('status')).toHaveText(/^The kapsule was deleted/);
  await expect(cell(gone, 2, COMMENT)).toHaveAttribute('aria-readonly', 'true');
});
