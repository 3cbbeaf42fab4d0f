import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, history, pageOf, path, serviceWith } from './granules-fixture.ts';

const button = (text: string) =>
  waitFor(() => screen.getByText(text, { selector: 'button *' }).closest('button') as HTMLButtonElement);

const data = { Comment: 'Present', Amount: 3.5, other: ['kept'] };
type Upserted = { upserted: number; granules: { _id: string; key: string; version: number }[] };
/** A service that stores what is written, and lists it. */
function storing() {
  let present: unknown = data;
  return {
    list: () => pageOf({ data: [granule('A1', { data: present, version: 3 })] }),
    upsert: ({ body }: { body: { granules: readonly { data?: unknown }[] } }): Upserted | Response => {
      present = body.granules[0]?.data;
      return { upserted: 1, granules: [{ _id: 'id-A1', key: 'A1', version: 4 }] };
    },
  };
}
const shows = (text: string) =>
  waitFor(() => expect(screen.getByRole('figure', { name: 'Data' }).textContent).toContain(text));

test('a granule is edited field by field, in place of the version that the user saw, and an earlier one is brought back after a question', async () => {
  let isStale = true;
  const stored = storing();
  const upsert: typeof stored.upsert = (input) =>
    isStale ? refuse('CONFLICT', 'Another user has changed it.') : stored.upsert(input);
  const { user, service } = renderScreen(`${path}?open=id-A1`, {
    as: adminUser,
    answers: serviceWith({ list: stored.list, history }, { dataApi: { upsert } }),
  });
  await user.click(await button('Edit'));
  const dialog = within(await screen.findByRole('dialog'));
  const amount = dialog.getByLabelText('Amount');
  // The dialog focuses its first field once it is open.
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('Comment')));
  enter(amount, 'ten');
  await user.click(await button('Save'));
  expect(await screen.findByText('Amount is not a valid number!')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert')).toEqual([]);
  enter(amount, '10');
  await user.click(await button('Save'));
  expect(await screen.findByText('Another user has changed it.')).toBeTruthy();
  isStale = false;
  await user.click(await button('Save'));
  expect(await screen.findByText('A1 is saved.')).toBeTruthy();
  const saved = { key: 'A1', version: 3, data: { Comment: 'Present', Amount: 10, other: ['kept'] } };
  expect(service.callsOf('dataApi.upsert').map(({ body }) => body)).toEqual([
    { granules: [saved] },
    { granules: [saved] },
  ]);
  await shows('"Amount": 10');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByLabelText('Bring back version 1'));
  expect(screen.queryByLabelText('Bring back version 3')).toBeNull();
  await user.click(await button('Yes'));
  expect(await screen.findByText('Version 1 of A1 is back.')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert')[2]?.body).toEqual({
    granules: [{ key: 'A1', version: 3, data: { Comment: 'First' } }],
  });
  await shows('"Comment": "First"');
});

test('an edit survives that its row leaves the page; a conflict shows what is stored, and Save again replaces it', async () => {
  let rows = [granule('A1', { data, version: 3 })];
  const conflict = {
    key: 'A1',
    givenVersion: 3,
    storedVersion: 5,
    storedData: { Comment: 'Theirs', Amount: 3.5, other: ['new'] },
  };
  let isStale = true;
  const upsert = ({ body }: { body: { granules: readonly { data?: unknown }[] } }) => {
    rows = [];
    if (!isStale) return storing().upsert({ body });
    isStale = false;
    return refuse('CONFLICT', 'A1 was changed meanwhile.', { conflicts: [conflict] });
  };
  const { user, service } = renderScreen(`${path}?open=id-A1&q=present`, {
    as: adminUser,
    answers: serviceWith({ list: () => pageOf({ data: rows }), history }, { dataApi: { upsert } }),
  });
  await user.click(await button('Edit'));
  const dialog = within(await screen.findByRole('dialog'));
  enter(dialog.getByLabelText('Amount'), '10');
  // The second click of a double click, before React has rendered that the first one saves, is no second save.
  const save = await button('Save');
  fireEvent.click(save);
  for (let turn = 0; turn < 1_000 && service.callsOf('dataApi.upsert').length === 0; turn += 1)
    await Promise.resolve();
  fireEvent.click(save);
  const told =
    'A1 was changed meanwhile. Now it has Comment: “Theirs”. Save again to store the fields that you have changed; the others stay as they are now.';
  expect(await screen.findByText(told)).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('figure', { name: 'Data' })).toBeNull());
  await user.click(await button('Save'));
  expect(await screen.findByText('A1 is saved.')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert').map(({ body }) => body)).toEqual([
    { granules: [{ key: 'A1', version: 3, data: { ...data, Amount: 10 } }] },
    { granules: [{ key: 'A1', version: 5, data: { Comment: 'Theirs', Amount: 10, other: ['new'] } }] },
  ]);
});
