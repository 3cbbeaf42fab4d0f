import { admin, openKapsule } from './fixtures/kapsule-page.ts';
import { expect, expectAccessible, expectMessage, inDialog, test } from './fixtures/test.ts';

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
