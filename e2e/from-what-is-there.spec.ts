import { admin, openKapsule } from './fixtures/kapsule-page.ts';
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  inDialog,
  logInAs,
  test,
} from './fixtures/test.ts';

test('a copy has the structure, the rules and the choices of a kapsule, and none of its rows', async ({
  page,
  service,
}) => {
  const fields = [
    {
      name: 'State',
      type: 'choice' as const,
      label: 'Status',
      choices: [{ value: 'open', color: 'red' as const }, { value: 'done' }],
    },
    { name: 'Amount', type: 'number' as const, decimals: 2, min: 0 },
  ];
  const id = await openKapsule(page, service, { name: 'Original', fields }, [
    { key: '1', data: { State: 'open' } },
  ]);
  await page.getByRole('button', { name: 'Copy Original' }).click();
  const dialog = page.getByRole('dialog', { name: 'Copy Original' });
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('Original (copy)');
  await expectAccessible(page, inDialog);
  await dialog.getByRole('button', { name: 'Create' }).click();
  await expect(page.getByRole('heading', { name: 'Original (copy)' })).toBeVisible();
  await expect(page.getByText('No granules yet')).toBeVisible();
  const client = await admin(service);
  const copyId = page.url().split('/').at(-1) ?? '';
  const bare = async (one: string) => {
    const kapsule = await client.kapsules.get({ params: { id: one } });
    return kapsule.fields.map(({ _id, ...field }) => field);
  };
  expect(copyId).not.toBe(id);
  expect(await bare(copyId)).toEqual(await bare(id));

  // From the list, the next free name.
  await logInAs(page, service);
  await page.getByRole('button', { name: 'Copy Original', exact: true }).click();
  const second = page.getByRole('dialog', { name: 'Copy Original' });
  await expect(second.getByLabel('Name', { exact: true })).toHaveValue('Original (copy 2)');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole('button', { name: 'Cancel' }).click();
});
