import { join } from 'node:path';
import { admin, openKapsule } from './fixtures/kapsule-page.ts';
import {
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  inDialog,
  logInAs,
  test,
} from './fixtures/test.ts';

const sample = (name: string) => join(import.meta.dirname, '..', 'packages', 'qvd', 'samples', name);

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
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
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

test('a kapsule is made as it is proposed for a QVD file, whose rows are then imported', async ({
  page,
  service,
}) => {
  await logInAs(page, service);
  await page.getByRole('button', { name: 'Create' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create kapsule' });
  await dialog.getByText('From a QVD file').click();
  await expect(dialog.getByRole('button', { name: 'Create', exact: true })).toBeDisabled();
  const input = dialog.locator('input[type="file"]');
  await input.setInputFiles(sample('qvd4js__damaged.qvd'));
  await expect(dialog.getByRole('alert')).toContainText('Not a QVD file');
  await input.setInputFiles(sample('ctrl-q-qvd-viewer__colors.qvd'));
  await expect(dialog.getByText(/^135 rows\./)).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'First rows' })).toContainText('0033B2');
  await expect(dialog.getByLabel('Name', { exact: true })).toHaveValue('ctrl-q-qvd-viewer__colors');
  await expectAccessible(page, inDialog);
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  await dialog.getByLabel('Name', { exact: true }).fill('Proposed colours');
  await dialog.getByRole('button', { name: 'Remove field 2' }).click();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  // The ordinary import begins with the file.
  const importing = page.getByRole('dialog', { name: 'Import granules into Proposed colours' });
  await expect(importing).toContainText('Matched columnsid, name');
  const client = await admin(service);
  const id = page.url().split('/').at(-1) ?? '';
  expect(await client.granules.countMatching({ params: { id }, query: {} })).toEqual({ total: 0 });
  await importing.getByRole('button', { name: 'Start Upload' }).click();
  await expect(page.getByText('Total matched 135 rows of data.')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await expect(page.getByText('135 granules', { exact: true })).toBeVisible();
  // Once: the page offers nothing when it is opened again.
  await page.reload();
  await expect(page.getByText('135 granules', { exact: true })).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});
