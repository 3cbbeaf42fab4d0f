import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { RunningService } from './fixtures/service.ts';
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

type Structure = Parameters<ReturnType<RunningService['client']>['dataApi']['createKapsule']>[0]['body'];

const admin = async (service: RunningService) => service.client((await service.session('admin')).accessToken);

/** Creates a kapsule, stores granules in it and opens its page. */
async function openKapsule(
  page: Page,
  service: RunningService,
  structure: Omit<Structure, 'keyField' | 'table'> & { keyField?: string },
  granules: readonly { key: string; data: Record<string, unknown> }[] = [],
) {
  const client = await admin(service);
  const { _id: id } = await client.dataApi.createKapsule({
    body: { keyField: 'id', table: '', ...structure },
  });
  if (granules.length > 0) await client.dataApi.upsert({ params: { id }, body: { granules: [...granules] } });
  await openAs(page, service, `/data/kapsules/${id}`);
  return id;
}

test('rules that an admin edits are tried on the stored values, and hold for whoever edits a granule', async ({
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

test('each type has its control, which the keyboard operates, and its way to be shown', async ({
  page,
  service,
}) => {
  const choices = [
    { value: 'open', color: 'orange' as const },
    { value: 'done', color: 'green' as const },
  ];
  const id = await openKapsule(
    page,
    service,
    {
      name: 'All types',
      fields: [
        { name: 'sum', type: 'number', unit: 'EUR', thousands: true, decimals: 2, label: 'Sum' },
        { name: 'state', type: 'choice', choices },
        { name: 'tags', type: 'choices', choices },
        { name: 'stars', type: 'rating' },
        { name: 'who', type: 'person' },
        { name: 'page', type: 'link' },
        { name: 'due', type: 'date' },
        { name: 'seen', type: 'timestamp' },
        { name: 'sure', type: 'boolean' },
        { name: 'story', type: 'paragraph', help: 'What happened.' },
      ],
    },
    [{ key: 'A1', data: { sum: 1234.5, state: 'open' } }],
  );
  await expect(page.getByText('1,234.50\u00a0EUR')).toBeVisible();
  await page.getByRole('row', { name: /A1/ }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit granule A1' });
  await expect(edit.getByLabel('Sum')).toBeFocused();
  await expectAccessible(page, inDialog);
  await edit.getByLabel('tags', { exact: true }).press('Enter');
  await page.keyboard.type('do');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('ArrowRight');
  await edit.getByLabel('who', { exact: true }).fill('admin');
  await edit.getByLabel('page', { exact: true }).fill('example.com');
  await edit.getByLabel('due', { exact: true }).fill('31.12.2026');
  await edit.getByLabel('seen', { exact: true }).fill('2026-11-30 10:00');
  await edit.getByLabel('story', { exact: true }).fill('One\nTwo');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, 'A1 is saved.');
  const { data } = await (await admin(service)).dataApi.lookup({ params: { id }, body: { keys: ['A1'] } });
  const seen = await page.evaluate(() => new Date(2026, 10, 30, 10).toISOString());
  expect(data[0]?.data).toEqual({
    sum: 1234.5,
    state: 'open',
    tags: ['done'],
    stars: 2,
    who: 'admin',
    page: 'https://example.com/',
    due: '2026-12-31',
    seen,
    story: 'One\nTwo',
  });
});

test('choices come from another kapsule, and a value that only the service can refuse is told at its control', async ({
  page,
  service,
}) => {
  const client = await admin(service);
  const cities = await client.dataApi.createKapsule({
    body: { name: 'Cities', keyField: 'id', table: '', fields: [{ name: 'city', type: 'text' }] },
  });
  const granules = ['Oslo', 'Rome'].map((city) => ({ key: city, data: { city } }));
  await client.dataApi.upsert({ params: { id: cities._id }, body: { granules } });
  await openKapsule(
    page,
    service,
    { name: 'Stores', fields: [{ name: 'city', type: 'choice', choices: [{ value: 'x' }] }] },
    [{ key: 'A1', data: {} }],
  );
  await page.getByRole('button', { name: 'Edit kapsule' }).click();
  await page.getByRole('button', { name: 'Rules of field 1' }).click();
  const rules = page.getByRole('group', { name: 'Rules of city' });
  await rules.getByLabel('Where the choices of city come from').click();
  await page.getByTitle('The values of another kapsule').click();
  await expect(rules.getByText('The field that has the choices is missing.')).toBeVisible();
  await rules.getByLabel('Kapsule of the choices').click();
  await page.getByTitle('Cities', { exact: true }).click();
  await rules.getByLabel('Field of the choices').click();
  await page.getByTitle('city', { exact: true }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expectMessage(page, 'Stores is saved.');

  await page.getByRole('row', { name: /A1/ }).getByRole('button').first().click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const edit = page.getByRole('dialog', { name: 'Edit granule A1' });
  await edit.getByLabel('city').fill('Atlantis');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit.getByText('city is not one of the choices!')).toBeVisible();
  await edit.getByLabel('city').fill('os');
  await page.getByTitle('Oslo').click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await expectMessage(page, 'A1 is saved.');
});
