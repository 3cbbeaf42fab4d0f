import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, kapsule, pageOf, path, serviceWith } from './granules-fixture.ts';

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
const state = (version: number, Comment: string) => ({
  version,
  user: 'jo',
  data: { Comment },
  updatedAt: `2026-03-0${version}T10:00:00Z`,
  deletedAt: null,
  deletedBy: null,
});
const history = () => [state(3, 'Present'), state(2, 'Earlier'), state(1, 'First')];

test('a granule is edited field by field, in place of the version that the user saw', async () => {
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
  await user.clear(amount);
  await user.type(amount, 'ten');
  await user.click(await button('Save'));
  expect(await screen.findByText('Amount is not a valid number!')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert')).toEqual([]);
  await user.clear(amount);
  await user.type(amount, '10');
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
});

test('an earlier version is brought back after a question', async () => {
  const stored = storing();
  const { user, service } = renderScreen(`${path}?open=id-A1`, {
    as: adminUser,
    answers: serviceWith({ list: stored.list, history }, { dataApi: { upsert: stored.upsert } }),
  });
  await user.click(await screen.findByLabelText('Bring back version 1'));
  expect(screen.queryByLabelText('Bring back version 3')).toBeNull();
  await user.click(await button('Yes'));
  expect(await screen.findByText('Version 1 of A1 is back.')).toBeTruthy();
  expect(service.callsOf('dataApi.upsert')[0]?.body).toEqual({
    granules: [{ key: 'A1', version: 3, data: { Comment: 'First' } }],
  });
  await shows('"Comment": "First"');
});

test('neither is offered to a USER who may only read', async () => {
  renderScreen(`${path}?open=id-A1`, {
    as: plainUser,
    answers: serviceWith(
      { list: storing().list, history },
      { kapsules: { get: () => ({ ...kapsule, authority: ['READ'] }) } },
    ),
  });
  expect(await screen.findByText('Earlier', { selector: 'del' })).toBeTruthy();
  expect(screen.queryByText('Edit')).toBeNull();
  expect(screen.queryByText('Bring back')).toBeNull();
});
