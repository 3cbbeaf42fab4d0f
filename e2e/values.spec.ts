import { join } from 'node:path';
import { admin, openKapsule } from './fixtures/kapsule-page.ts';
import {
  expect,
  expectAccessible,
  expectMessage,
  expectNoHorizontalScroll,
  inDialog,
  openAs,
  test,
} from './fixtures/test.ts';

const sample = join(import.meta.dirname, '..', 'packages', 'qvd', 'samples', 'ctrl-q-qvd-viewer__colors.qvd');

test('rules that an admin edits are tried on the stored values, and checked when a granule is saved', async ({
  page,
  service,
}) => {
  await openKapsule(
    page,
    service,
    {
      name: 'Reasons',
      fields: [
        { name: 'note', type: 'text' },
        { name: 'status', type: 'text' },
      ],
    },
    [
      { key: 'A1', data: { note: 'rain', status: 'open' } },
      { key: 'A2', data: { note: 'SNOW', status: 'lost' } },
    ],
  );
  await page.getByRole('button', { name: 'Edit kapsule' }).click();
  await page.getByRole('button', { name: 'Rules of field 1' }).click();
  const rules = page.getByRole('group', { name: 'Rules of note' });
  await rules.getByLabel('Label').fill('Reason');
  await rules.getByLabel('Pattern').fill('[A-Z');
  await expect(rules.getByText('its pattern can’t be used', { exact: false })).toBeVisible();
  await rules.getByLabel('Pattern').fill('[A-Z]+');
  await rules.getByLabel('Required').check();
  await page.getByLabel('Type of field 2').click();
  await page.getByTitle('Choice', { exact: true }).click();
  const choices = page.getByRole('group', { name: 'Rules of status' });
  // Enter adds the next choice.
  await choices.getByLabel('Choice 1 of status', { exact: true }).fill('done');
  await choices.getByLabel('Choice 1 of status', { exact: true }).press('Enter');
  await page.keyboard.type('open');
  await choices.getByRole('button', { name: 'Move choice open with the arrow keys' }).focus();
  await page.keyboard.press('ArrowUp');
  await expect(choices.getByLabel('Choice 1 of status', { exact: true })).toHaveValue('open');
  // The pointer moves them, too.
  await choices
    .getByRole('button', { name: 'Move choice done with the arrow keys' })
    .dragTo(choices.getByLabel('Choice 1 of status', { exact: true }));
  await expect(choices.getByLabel('Choice 1 of status', { exact: true })).toHaveValue('done');
  await expectAccessible(page, inDialog);
  await page.getByRole('button', { name: 'Save', exact: true }).click();

  const told = page.getByRole('dialog', { name: '2 stored values would not fit' });
  await expect(told.getByText('Reason must match [A-Z]+!')).toBeVisible();
  await expect(told.getByText('status is not one of the choices!')).toBeVisible();
  await told.getByRole('button', { name: 'Save all the same' }).click();
  await expectMessage(page, 'Reasons is saved.');

  await expect(page.getByRole('button', { name: '2 values do not fit' })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  // What was stored before stays readable and is marked.
  await expect(page.getByLabel('Reason must match [A-Z]+!')).toBeVisible();
  await page.getByRole('row', { name: /A2/ }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit granule A2' });
  await edit.getByLabel('Reason').fill('hail');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByText('Reason must match [A-Z]+!')).toBeVisible();
  await edit.getByLabel('Reason').fill('HAIL');
  // The status stays as it is stored, though it is none of the choices.
  await edit.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, 'A2 is saved.');
});

test('values that do not fit are found, and one field of many is set at once', async ({ page, service }) => {
  const id = await openKapsule(
    page,
    service,
    { name: 'Sums', fields: [{ name: 'amount', type: 'text' }] },
    Array.from({ length: 5 }, (_, index) => ({
      key: `S${index}`,
      data: { amount: index === 0 ? '12' : 'NaN!' },
    })),
  );
  const client = await admin(service);
  await client.kapsules.update({
    params: { id },
    body: {
      name: 'Sums',
      keyField: 'id',
      table: '',
      fields: [{ name: 'amount', type: 'number', label: 'Amount', min: 0 }],
    },
  });
  await openAs(page, service, `/data/kapsules/${id}`);
  await page.getByRole('button', { name: '5 values do not fit' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Values that do not fit' })).toBeVisible();
  await expect(page.getByText('5 values in 5 granules')).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoHorizontalScroll(page);
  await page.setViewportSize({ width: 1280, height: 720 });

  await page.getByRole('searchbox').fill('NaN');
  await expect(page.getByText('4 values in 4 granules')).toBeVisible();
  await page.getByLabel('Select all of this page').check();
  await page.getByRole('button', { name: 'Set or clear a field (4)' }).click();
  const dialog = page.getByRole('dialog', { name: 'Set a field of 4 granules' });
  await dialog.getByLabel('Value').fill('-1');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Amount must be at least 0!')).toBeVisible();
  await dialog.getByLabel('Value').fill('1,000');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, '4 granules saved.');
  await expect(page.getByText('No results')).toBeVisible();
  await page.getByRole('button', { name: 'Clear the filters' }).click();
  await expect(page.getByText('1 value in 1 granule')).toBeVisible();
  await page.getByRole('button', { name: 'Edit Amount of S0' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit granule S0' });
  await edit.getByLabel('Amount').fill('1,5');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByText('Amount can be 1.5 or 15: please write it in full!')).toBeVisible();
  await edit.getByLabel('Amount').fill('1.5');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('All stored values fit')).toBeVisible();
  const { data } = await client.dataApi.lookup({ params: { id }, body: { keys: ['S0', 'S1'] } });
  expect(data.map((granule) => granule?.data)).toEqual([{ amount: 1.5 }, { amount: 1000 }]);
});

test('an import counts refused rows by rule before anything is stored, and takes the good ones', async ({
  page,
  service,
}) => {
  const id = await openKapsule(page, service, {
    name: 'Colours with rules',
    fields: [
      { name: 'name', type: 'text' },
      { name: 'RGB', type: 'text', pattern: '[0-7].*' },
    ],
  });
  const client = await admin(service);
  const count = async () => (await client.granules.countMatching({ params: { id }, query: {} })).total;
  const upload = async () => {
    await page.getByRole('button', { name: 'Import' }).first().click();
    await page.locator('input[type="file"]').setInputFiles(sample);
    await page.getByRole('button', { name: 'Start Upload' }).click();
  };
  await upload();
  await expect(page.getByText(/rows have values that do not fit\./)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Values that do not fit' })).toContainText('Pattern');
  await expectAccessible(page, inDialog);
  await page.getByRole('button', { name: 'Take none' }).click();
  expect(await count()).toBe(0);
  await page.getByRole('button', { name: 'Start Upload' }).click();
  await page.getByRole('button', { name: 'Take the good rows' }).click();
  await expect(page.getByText('Import Successed')).toBeVisible();
  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  const stored = await count();
  expect(stored).toBeGreaterThan(0);
  expect(stored).toBeLessThan(135);

  await client.granules.removeMatching({ params: { id }, body: { expected: stored } });
  await upload();
  await expect(page.getByText(`${stored} deleted granules would come back.`)).toBeVisible();
  await page.getByRole('button', { name: 'Take the good rows' }).click();
  await expect(page.getByText('Import Successed')).toBeVisible();
  expect(await count()).toBe(stored);
});
