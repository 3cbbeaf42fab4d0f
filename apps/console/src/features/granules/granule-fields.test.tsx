import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, kapsule, pageOf, path, serviceWith } from './granules-fixture.ts';

const cities = { north: ['Oslo'], south: ['Rome'] };
const ruledKapsule = {
  ...kapsule,
  fields: [
    { name: 'note', type: 'text', label: 'Reason', help: 'Why it differs.', required: true },
    { name: 'amount', type: 'number', label: 'Amount', unit: 'EUR', decimals: 2, thousands: true },
    {
      name: 'region',
      type: 'choice',
      choices: [{ value: 'north', color: 'green' as const }, { value: 'south' }],
    },
    {
      name: 'city',
      type: 'choice',
      choices: [{ value: 'Oslo' }, { value: 'Rome' }],
      choicesBy: { field: 'region', choices: cities },
    },
    { name: 'stars', type: 'rating' },
    { name: 'who', type: 'person' },
    { name: 'page', type: 'link' },
    { name: 'once', type: 'text', writeOnce: true },
  ],
};
const data = {
  note: 'Rain',
  amount: 1234.5,
  region: 'north',
  city: 'Oslo',
  stars: 2,
  who: 'mara',
  page: 'https://example.com/',
  once: 'written',
};
const button = (text: string) =>
  waitFor(() => screen.getByText(text, { selector: 'button *' }).closest('button') as HTMLButtonElement);

function open(upsert: () => Response) {
  localStorage.setItem(
    'kaptain.table.u-admin.granules.k1',
    JSON.stringify(Object.fromEntries(ruledKapsule.fields.map(({ name }) => [`field:${name}`, true]))),
  );
  return renderScreen(`${path}?open=id-A1`, {
    as: adminUser,
    answers: serviceWith(
      { list: () => pageOf({ data: [granule('A1', { data, version: 3 })] }) },
      {
        kapsules: { get: () => ruledKapsule, list: () => [ruledKapsule] },
        users: { list: () => ({ data: [{ userId: 'u1', username: 'mara', role: 'USER' as const }] }) },
        dataApi: { upsert },
      },
    ),
  });
}

test('values are shown as type and rules say, and are edited in controls of their types; a refused one is told at its control', async () => {
  const message = 'Amount must be at most 999!';
  const refused = [{ key: 'A1', field: 'amount', rule: 'max', value: 2000, message }];
  const { user, service } = open(() =>
    refuse('VALUES_REFUSED', 'One value was refused.', { count: 1, refused }),
  );
  expect(await screen.findByRole('columnheader', { name: 'Reason' })).toBeTruthy();
  expect(screen.getByText('1,234.50 EUR')).toBeTruthy();
  expect(screen.getByText('north').className).toContain('green');
  expect(screen.getByRole('img', { name: '2 of 5 stars' })).toBeTruthy();
  const link = screen.getByText('https://example.com/', { selector: 'a' });
  expect([link.getAttribute('href'), link.getAttribute('rel')]).toEqual([
    'https://example.com/',
    'noopener noreferrer',
  ]);

  await user.click(await button('Edit'));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText('Why it differs.')).toBeTruthy();
  expect(dialog.getByLabelText<HTMLInputElement>('once').disabled).toBe(true);
  enter(dialog.getByLabelText('Reason'), '');
  enter(dialog.getByLabelText('Amount'), '1,5');
  await user.click(dialog.getByLabelText('4 of 5 stars'));
  // Rome lies in another region.
  await user.click(dialog.getByLabelText('region'));
  await user.click(await screen.findByText('south', { selector: '.ant-select-item-option-content *' }));
  await user.click(await button('Save'));
  expect(await dialog.findByText('Reason is required!')).toBeTruthy();
  expect(dialog.getByText('Amount can be 1.5 or 15: please write it in full!')).toBeTruthy();
  expect(dialog.getByText('city is not one of the choices!')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert')).toEqual([]);

  enter(dialog.getByLabelText('Reason'), 'Snow');
  enter(dialog.getByLabelText('Amount'), '2,000');
  await user.click(dialog.getByLabelText('city'));
  await user.click(await screen.findByText('Rome', { selector: '.ant-select-item-option-content *' }));
  await user.click(await button('Save'));
  expect(await dialog.findByText(message)).toBeTruthy();
  expect(dialog.queryByText('One value was refused.')).toBeNull();
  expect(service.callsOf('dataApi.upsert').map(({ body }) => body)).toEqual([
    {
      granules: [
        {
          key: 'A1',
          version: 3,
          data: { ...data, note: 'Snow', amount: 2000, region: 'south', city: 'Rome', stars: 4 },
        },
      ],
    },
  ]);
});

test('a value that does not fit is marked in the table and stays readable', async () => {
  renderScreen(path, {
    as: adminUser,
    answers: serviceWith(
      { list: () => pageOf({ data: [granule('A1', { data: { amount: 'NaN!' } })] }) },
      { kapsules: { get: () => ruledKapsule, list: () => [ruledKapsule] } },
    ),
  });
  expect(await screen.findByLabelText('Amount is not a valid number!')).toBeTruthy();
  expect(screen.getByText(/NaN!/)).toBeTruthy();
});
