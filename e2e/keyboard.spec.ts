import type { Page } from '@playwright/test';
import { expect, openAs, press, test } from './fixtures/test.ts';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name });

test('the focus stays in its place: after a deletion, the palette, a menu, and inside a dialog', async ({
  page,
  service,
}) => {
  const admin = service.client((await service.session('admin')).accessToken);
  for (const groupname of ['Keys 1', 'Keys 2', 'Keys 3'])
    await admin.groups.create({ body: { groupname, authority: ['READ'] } });
  await openAs(page, service, '/system/groups?q=Keys');

  await button(page, 'Delete Keys 2').focus();
  await press(page, 'Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await press(page, 'Tab', 'Enter');
  await expect(button(page, 'Delete Keys 3')).toBeFocused();
  await press(page, 'Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await press(page, 'Escape');
  await expect(button(page, 'Delete Keys 3')).toBeFocused();

  await press(page, 'Control+k');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await press(page, 'Tab', 'Shift+Tab');
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused();
  await page.keyboard.type('light scheme');
  await press(page, 'Enter');
  await expect(button(page, 'Delete Keys 3')).toBeFocused();
  await press(page, 'Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await press(page, 'Tab', 'Enter');
  await expect(button(page, 'Delete Keys 1')).toBeFocused();
  await press(page, 'Enter');
  await expect(button(page, 'Cancel')).toBeFocused();
  await press(page, 'Tab', 'Enter');
  await expect(button(page, 'Delete Keys 1')).toBeHidden();
  await expect(page.locator('main :focus')).toBeVisible();

  await button(page, /^Account/).focus();
  await press(page, 'Enter');
  await expect(page.getByRole('menuitem', { name: 'My account' })).toBeFocused();
  await press(page, 'ArrowDown');
  await expect(page.getByRole('menuitem', { name: 'Keyboard shortcuts' })).toBeFocused();
  await press(page, 'Enter');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(help.getByText('Alt PgDn')).toBeVisible();
  await press(page, 'Escape');
  await expect(button(page, /^Account/)).toBeFocused();

  await button(page, 'Create Group').press('Enter');
  const name = page.getByRole('textbox', { name: 'Group name' });
  await expect(name).toBeFocused();
  await press(page, 'Shift+Tab', 'Shift+Tab');
  await expect(button(page, 'Save')).toBeFocused();
  await press(page, 'Tab', 'Tab');
  await expect(name).toBeFocused();
  await press(page, 'Escape');
  await expect(button(page, 'Create Group')).toBeFocused();
});

/** The element that has the focus, and whether it is covered or cut. */
const focusOf = () => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return { html: '', isHidden: false };
  const { top, bottom, left, width, height } = focused.getBoundingClientRect();
  const x = left + Math.min(width / 2, 20);
  const isSeen = (y: number) => {
    const hit = document.elementFromPoint(x, y);
    return hit !== null && (hit.contains(focused) || (focused.parentElement?.contains(hit) ?? false));
  };
  const isHidden = height <= innerHeight / 2 && !(isSeen(top + 2) && isSeen(bottom - 2));
  return { html: focused.outerHTML, isHidden };
};

for (const [width, height] of [
  [1440, 900],
  [390, 844],
] as const)
  test(`no bar covers what Tab reaches at a width of ${width}`, { tag: '@full' }, async ({
    page,
    service,
  }) => {
    await page.setViewportSize({ width, height });
    for (const [path, last] of [
      ['/data/setting', button(page, 'Submit')],
      ['/data/kapsules', page.getByRole('link', { name: 'Inventory', exact: true })],
    ] as const) {
      await openAs(page, service, path);
      await expect(last).toBeVisible();
      for (const [key, start] of [
        ['Tab', 'main button'],
        ['Shift+Tab', 'main button >> nth=-1'],
      ] as const) {
        await page.locator(start).first().focus();
        const reached = new Set<string>();
        for (let presses = 0; presses < 60; presses += 1) {
          await page.keyboard.press(key);
          await expect.poll(() => page.evaluate(focusOf)).toMatchObject({ isHidden: false });
          reached.add((await page.evaluate(focusOf)).html);
        }
        expect(reached.size).toBeGreaterThan(10);
      }
    }
  });

test('Alt with Page Down and Page Up turns the pages of a table and the sections of a form; a dialog starts at its field', {
  tag: '@full',
}, async ({ page, service }) => {
  const admin = service.client((await service.session('admin')).accessToken);
  const kapsule = (await admin.kapsules.list()).find(({ name }) => name === 'Budget notes');
  await openAs(page, service, `/data/kapsules/${kapsule?._id}?size=20`);
  const shows = (number: string) =>
    expect(page.getByRole('listitem', { name: number, exact: true })).toHaveClass(/active/);
  await page
    .getByRole('checkbox', { name: /^Select K/ })
    .first()
    .focus();
  await page.keyboard.press('Alt+PageDown');
  await shows('2');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('checkbox', { name: 'Select all of this page' })).toBeFocused();
  // The arrow to the previous page can't have the focus on the first one.
  await page.getByRole('listitem', { name: 'Previous Page' }).press('Enter');
  await shows('1');
  await expect(page.locator('main :focus')).toBeVisible();
  await page.keyboard.press('Alt+PageDown');
  await shows('2');
  await page.keyboard.press('Alt+PageUp');
  await shows('1');

  // Without views the name is the first field; with some their list comes first.
  const open = () => page.getByRole('button', { name: 'Views' }).press('Enter');
  const views = page.getByRole('dialog', { name: 'Saved views' });
  await open();
  await expect(views.getByRole('textbox', { name: 'Name of the present view' })).toBeFocused();
  await page.keyboard.type('Mine');
  await page.keyboard.press('Enter');
  await expect(views.getByRole('button', { name: 'Mine', exact: true })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Views' })).toBeFocused();
  await open();
  // antd gives the focus to a dialog that opens again, before its button that closes it.
  await expect(views).toBeFocused();
  await press(page, 'Tab', 'Tab');
  await expect(views.getByRole('button', { name: 'Mine', exact: true })).toBeFocused();
  await views.getByRole('button', { name: 'Delete the view Mine' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Are you sure to delete the view Mine?' });
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await question.getByRole('button', { name: 'Yes' }).press('Enter');
  await expect(views.getByRole('button', { name: 'Mine', exact: true })).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(views).toBeHidden();

  await openAs(page, service, '/data/setting');
  const section = (name: string) => page.getByRole('region', { name, exact: true });
  await expect(section('System')).toBeVisible();
  for (const name of ['System', 'Security', 'Platform Connection']) {
    await page.keyboard.press('Alt+PageDown');
    await expect(section(name)).toBeFocused();
    await expect(section(name).getByRole('heading', { name })).toBeInViewport();
  }
  await page.keyboard.press('Alt+PageUp');
  await expect(section('Security')).toBeFocused();
});
