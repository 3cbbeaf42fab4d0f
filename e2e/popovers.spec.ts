import {
  addUser,
  expect,
  expectAccessible,
  expectAccessibleLayout,
  expectContrast,
  expectNoHorizontalScroll,
  openAs,
  press,
  test,
} from './fixtures/test.ts';

test('lists, popovers and hints are left and closed by keyboard, and only they', { tag: '@full' }, async ({
  page,
  service,
}) => {
  await addUser(service, 'poppy');
  await openAs(page, service, '/system/groups');
  await page.getByRole('button', { name: 'Create Group' }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Create Group' });
  const users = form.getByLabel('Users', { exact: true });
  const chosen = form.locator('.ant-select-selection-item');
  await users.focus();
  await press(page, 'Enter', 'ArrowDown');
  await expect(users).toHaveAttribute('aria-expanded', 'true');
  await press(page, 'Shift+Tab');
  await expect(form.getByLabel('Kapsules', { exact: true })).toBeFocused();
  await expect(users).toHaveAttribute('aria-expanded', 'false');
  await press(page, 'Tab', 'Enter', 'ArrowDown', 'Tab');
  await expect(users).not.toBeFocused();
  await expect(users).toHaveAttribute('aria-expanded', 'false');
  await expect(chosen).toHaveCount(0);
  await users.focus();
  await press(page, 'Enter');
  await expect(users).toHaveAttribute('aria-expanded', 'true');
  await press(page, 'Escape');
  await expect(users).toHaveAttribute('aria-expanded', 'false');
  await expect(form).toBeVisible();
  await press(page, 'Escape');
  await expect(form).toBeHidden();

  // The column chooser: into it, through it, out of it.
  await openAs(page, service, '/system/audit');
  const columns = page.getByRole('button', { name: 'Columns' });
  await columns.press('Enter');
  await expect(page.getByRole('checkbox', { name: 'Who' })).toBeFocused();
  await expect(columns).toHaveAttribute('aria-expanded', 'true');
  await expectAccessible(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectContrast(page);
  await press(page, 'Escape');
  await expect(columns).toBeFocused();
  await expect(columns).toHaveAttribute('aria-expanded', 'false');
  await columns.press('Enter');
  await page.getByRole('checkbox', { name: 'From' }).focus();
  await press(page, 'Tab');
  await expect(columns).toHaveAttribute('aria-expanded', 'false');
  const opener = page.locator('tbody tr[data-row-key] button').first();
  await expect(opener).toBeFocused();
  await expect(opener).toHaveAccessibleName(/^Show details of /);
  await expect(opener).toHaveAttribute('aria-expanded', 'false');
  await press(page, 'Enter');
  await expect(opener).toHaveAccessibleName(/^Hide details of /);

  // A hint comes with the focus. Escape hides one that tells a reason; one that only names its button goes with the dialog.
  await openAs(page, service, '/data/kapsules');
  await page.getByRole('button', { name: 'Create', exact: true }).press('Enter');
  const kapsule = page.getByRole('dialog').first();
  const hint = page.locator('.ant-tooltip:not(.ant-tooltip-hidden)');
  await kapsule.getByLabel('Rules of field 1').focus();
  await press(page, 'Tab');
  await expect(hint).toHaveText('It needs at least one field.');
  await press(page, 'Escape');
  await expect(hint).toHaveCount(0);
  await expect(kapsule.getByRole('button', { name: 'Remove field 1' })).toBeFocused();
  await kapsule.getByRole('button', { name: 'Add field' }).press('Enter');
  await kapsule.getByLabel('Rules of field 1').focus();
  await press(page, 'Tab');
  await expect(hint).toHaveText('Remove');
  await press(page, 'Escape');
  await expect(page.getByRole('dialog', { name: 'Discard what you have entered?' })).toBeVisible();
});

test('the actions of a row are in sight: side by side, and on a phone behind one button', async ({
  page,
  service,
}) => {
  await addUser(service, 'phoebe');
  await openAs(page, service, '/system/users');
  // Also those that are not possible, with the reason.
  for (const name of ['Delete admin', 'Delete phoebe'])
    expect(await page.getByRole('button', { name }).boundingBox()).toMatchObject({ width: 28, height: 28 });
  // Alone: with the users of other stories it may be below the window.
  await openAs(page, service, '/system/users?q=phoebe');
  await page.setViewportSize({ width: 390, height: 844 });
  const actions = page.getByRole('button', { name: 'Actions of phoebe' });
  await expect(actions).toBeInViewport({ ratio: 1 });
  await actions.press('Enter');
  const list = page.getByRole('dialog', { name: 'Actions of phoebe' });
  await expect(list.getByRole('button').first()).toBeFocused();
  await expectNoHorizontalScroll(page);
  await expectAccessibleLayout(page);
  await list.getByRole('button', { name: 'Edit', exact: true }).press('Enter');
  const form = page.getByRole('dialog', { name: 'Update User' });
  await form.waitFor();
  await expect(list).toBeHidden();
  await press(page, 'Escape');
  await expect(form).toBeHidden();
  await expect(actions).toBeFocused();

  const groupname = 'a group whose name is as long as the screen of a phone is wide';
  const admin = service.client((await service.session('admin')).accessToken);
  const users = (await admin.users.list()).data
    .filter(({ username }) => username === 'phoebe')
    .map(({ userId: userid }) => ({ userid }));
  await admin.groups.create({ body: { groupname, authority: ['READ'], users } });
  await openAs(page, service, '/system/groups?q=phone');
  await page.getByRole('button', { name: `Users of ${groupname}: 1` }).press('Enter');
  await expect(page.getByRole('dialog', { name: `Users of ${groupname}` })).toBeInViewport({ ratio: 1 });
});

test('nothing is missing at 1024 pixels: the target of an entry is cut, the count of the toolbar is whole', {
  tag: '@full',
}, async ({ page, alternative }) => {
  const name = `a user with a name that is far too long for the column ${'of its target '.repeat(3)}`.trim();
  await addUser(alternative, name);
  await page.setViewportSize({ width: 1024, height: 768 });
  await openAs(page, alternative, '/data/kapsules');
  const count = page.getByRole('status').filter({ hasText: /data sources/ });
  await expect
    .poll(() => count.evaluate((text) => text.scrollWidth - text.clientWidth))
    .toBeLessThanOrEqual(1);

  await openAs(page, alternative, '/system/audit');
  const target = page.getByRole('button', { name: `Only entries about ${name}` }).first();
  const cell = page.locator('td').filter({ has: target });
  await expect.poll(() => target.evaluate((text) => text.scrollWidth > text.clientWidth)).toBe(true);
  const [inner, outer] = [await target.boundingBox(), await cell.boundingBox()];
  expect(inner?.width).toBeGreaterThan((outer?.width ?? 0) / 3);
  await page.locator('tbody tr[data-row-key]').filter({ has: target }).getByRole('button').first().focus();
  await press(page, 'Tab');
  await expect(target).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveText(name);
});
