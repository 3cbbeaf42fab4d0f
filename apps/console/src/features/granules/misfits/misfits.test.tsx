import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../../testing/enter.ts';
import { refuse } from '../../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { granule, rows as granules, kapsule, pageOf, path, serviceWith } from '../granules-fixture.ts';

const wrong = (key: string, value: unknown) => ({
  _id: `id-${key}`,
  key,
  version: 3,
  refusals: [{ field: 'Amount', rule: 'type', value, message: 'Amount is not a valid number!' }],
});
const page = {
  granules: 2,
  count: 3,
  rules: [
    { field: 'Amount', rule: 'type', count: 2 },
    { field: 'Comment', rule: 'required', count: 1 },
  ],
  rows: [
    {
      ...wrong('A1', 'NaN!'),
      refusals: [
        ...wrong('A1', 'NaN!').refusals,
        { field: 'Comment', rule: 'required', message: 'Comment is required!' },
      ],
    },
    wrong('A2', 'n/a'),
  ],
  isCut: false,
};
const data = { Comment: '', Amount: 'NaN!', other: 1 };
const stored = (key: string, version = 3) => granule(key, { data, version });

test('values that do not fit are counted, found from the page of their kapsule, and set for all selected at once', async () => {
  const { user, service } = renderScreen(path, {
    as: adminUser,
    answers: serviceWith(
      { misfits: () => page },
      {
        dataApi: {
          lookup: ({ body }) => ({ data: body.keys.map((key) => stored(key)) }),
          upsert: ({ body }) => ({ upserted: body.granules.length, granules: [] }),
        },
      },
    ),
  });
  await user.click(await screen.findByText('3 values do not fit'));
  expect(await screen.findByRole('heading', { name: 'Values that do not fit' })).toBeTruthy();
  const table = within(await screen.findByRole('table', { name: 'Values that do not fit' }));
  expect(screen.getByText('3 values in 2 granules')).toBeTruthy();
  expect(table.getAllByText('Amount is not a valid number!')).toHaveLength(2);
  await user.click(screen.getByText('Amount: Type 2'));
  await waitFor(() =>
    expect(
      Object.fromEntries(new URL(service.callsOf('granules.misfits').at(-1)?.url ?? '').searchParams),
    ).toEqual({
      field: 'Amount',
      rule: 'type',
    }),
  );
  expect(new URLSearchParams(location.search).get('field')).toBe('Amount');

  await user.click(table.getByLabelText('Select all of this page'));
  await user.click(screen.getByText('Set or clear a field (2)'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 2 granules' }));
  enter(dialog.getByLabelText('Value'), 'some');
  await user.click(dialog.getByText('Save'));
  expect(await dialog.findByText('Amount is not a valid number!')).toBeTruthy();
  enter(dialog.getByLabelText('Value'), '1,000');
  await user.click(dialog.getByText('Save'));
  expect(await screen.findByText('2 granules saved.')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert').map(({ body }) => body)).toEqual([
    {
      granules: ['A1', 'A2'].map((key) => ({ key, version: 3, data: { ...data, Amount: 1000 } })),
    },
  ]);
});

const many = ['A1', 'A2', 'A3', 'A4', 'A5'];
const pageOfMany = {
  ...page,
  granules: 5,
  count: 5,
  rules: [{ field: 'Amount', rule: 'type', count: 5 }],
  rows: many.map((key) => wrong(key, 'n/a')),
};

test('rows that others have changed since the page was read stay as they are, and each row is told', async () => {
  let isAway = false;
  const { user, service } = renderScreen(`${path}/misfits`, {
    as: adminUser,
    answers: serviceWith(
      { misfits: () => pageOfMany },
      {
        dataApi: {
          // The first one is deleted and the second one changed; the third one changes before it is saved.
          lookup: ({ body }) => ({
            data: body.keys.map((key) => (key === 'A1' ? null : stored(key, key === 'A2' ? 4 : 3))),
          }),
          upsert({ body }) {
            const keys = body.granules.map(({ key }) => key);
            if (isAway) return refuse('INTERNAL', 'It is away.');
            if (keys.includes('A3')) return refuse('CONFLICT', 'Changed.', { conflicts: [{ key: 'A3' }] });
            const refused = [{ key: 'A4', field: 'Amount', rule: 'max', message: 'Amount is too large!' }];
            if (keys.includes('A4')) return refuse('VALUES_REFUSED', 'Refused.', { count: 1, refused });
            return { upserted: keys.length, granules: [] };
          },
        },
      },
    ),
  });
  const table = within(await screen.findByRole('table', { name: 'Values that do not fit' }));
  await user.click(table.getByLabelText('Select all of this page'));
  await user.click(screen.getByText('Set or clear a field (5)'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 5 granules' }));
  enter(dialog.getByLabelText('Value'), '5');
  await user.click(dialog.getByText('Save'));
  expect(
    await screen.findByText(
      '1 granule saved. 3 granules were changed or deleted by others meanwhile, and stay as they are. 1 granule is refused: A4: Amount is too large!',
    ),
  ).toBeTruthy();
  const sent = () =>
    service
      .callsOf('dataApi.upsert')
      .map(({ body }) =>
        (body as { granules: { key: string; version: number }[] }).granules.map(
          ({ key, version }) => `${key} ${version}`,
        ),
      );
  expect(sent()).toEqual([['A3 3', 'A4 3', 'A5 3'], ['A4 3', 'A5 3'], ['A5 3']]);

  // What is left can be tried again.
  expect(await screen.findByText('Set a field of 1 granule')).toBeTruthy();
  isAway = true;
  await user.click(dialog.getByText('Save'));
  expect(
    await screen.findByText('0 granules saved. 1 granule may be saved or not. It is away.'),
  ).toBeTruthy();
  expect(sent().at(-1)).toEqual(['A4 3']);
});

test('a row is edited in the dialog of its granule, as it is now', async () => {
  const { user } = renderScreen(`${path}/misfits`, {
    as: adminUser,
    answers: serviceWith({ misfits: () => page }, { dataApi: { lookup: () => ({ data: [stored('A1')] }) } }),
  });
  await user.click(await screen.findByLabelText('Edit Comment of A1'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit granule A1' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Amount').value).toBe('NaN!');
});

test('of values of several fields none is cleared before the person has chosen a field', async () => {
  const { user, service } = renderScreen(`${path}/misfits`, {
    as: adminUser,
    answers: serviceWith({ misfits: () => page }),
  });
  const table = within(await screen.findByRole('table', { name: 'Values that do not fit' }));
  await user.click(table.getByLabelText('Select all of this page'));
  await user.click(screen.getByText('Set or clear a field (2)'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Set a field of 2 granules' }));
  expect(dialog.queryByLabelText('Value')).toBeNull();
  await user.click(dialog.getByText('Save'));
  expect(await dialog.findByText('Please choose a field!')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert')).toEqual([]);
});

test('who may only read sees them and changes none; without any, nothing leads there', async () => {
  const reader = { ...kapsule, authority: ['READ' as const] };
  const kapsules = { get: () => reader, list: () => [reader] };
  const { unmount } = renderScreen(`${path}/misfits`, {
    as: plainUser,
    answers: serviceWith({ misfits: () => page }, { kapsules }),
  });
  expect(await screen.findByText('n/a')).toBeTruthy();
  expect(screen.queryByText(/^Set or clear a field/)).toBeNull();
  expect(screen.queryByLabelText(/^Edit /)).toBeNull();
  unmount();

  const none = { granules: 0, count: 0, rules: [], rows: [], isCut: false };
  const { service } = renderScreen(path, { as: plainUser, answers: serviceWith({ misfits: () => none }) });
  await waitFor(() => expect(service.callsOf('granules.misfits')).toHaveLength(1));
  expect(screen.queryByText(/not fit/)).toBeNull();
});

test('a kapsule with many granules is looked through only when asked, and a service of others never', async () => {
  const large = pageOf({ summary: { total: 1_000_000, reloaded: 0, notReloaded: 1_000_000 } });
  const { service, unmount } = renderScreen(path, {
    as: plainUser,
    answers: serviceWith({ list: () => large, misfits: () => refuse('NOT_FOUND', 'Nothing here.') }),
  });
  expect(await screen.findByText('Values that do not fit')).toBeTruthy();
  expect(service.callsOf('granules.misfits')).toEqual([]);
  unmount();
  const { service: other } = renderScreen(path, {
    as: plainUser,
    answers: serviceWith({ list: () => granules }),
  });
  await screen.findByRole('table', { name: 'Granules' });
  expect(other.callsOf('granules.misfits')).toEqual([]);
});
