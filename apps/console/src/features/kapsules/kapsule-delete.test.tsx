import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';

const list = [
  sampleKapsule({
    name: 'Sales',
    authority: ['READ', 'DELETE'],
    granules: { total: 1234, notReloaded: 12 },
  }),
  sampleKapsule({ name: 'Budget', database: 'mssql', authority: ['READ', 'DELETE'] }),
  sampleKapsule({ name: 'Stock' }),
];
const icon = (name: string) => screen.findByLabelText(`Delete ${name}`);
const box = (name: string) => screen.findByLabelText<HTMLInputElement>(`Select ${name}`);
const selectionButton = (text: string) =>
  waitFor(() => screen.getByText(text).closest('button') as HTMLButtonElement);
/** A dialog by its title; while another one closes, both have the same id in jsdom. */
const dialogOf = async (title: string) => {
  const [found] = await screen.findAllByText(title);
  return within(found?.closest<HTMLElement>('[role="dialog"]') ?? document.body);
};
const gone = (title: string) => waitFor(() => expect(screen.queryByText(title)).toBeNull());

test('the delete icon shows for a USER with the authority DELETE, asks by name, says what is lost, and sends what is chosen about the table', async () => {
  const owned = list.map((kapsule) => ({ ...kapsule, ownerId: 'u-mara' }));
  const { user, service } = renderScreen('/data/kapsules', {
    as: plainUser,
    answers: {
      kapsules: { list: () => owned, remove: () => ({ deleted: 1 }) },
      deletedKapsules: { list: () => [] },
    },
  });
  await user.click(await icon('Sales'));
  expect(screen.queryByLabelText('Delete Stock')).toBeNull();
  const question = await dialogOf('Are you sure to delete Sales?');
  expect(question.getByText('1,234 granules')).toBeTruthy();
  expect(question.getByText(/can be restored for 30 days by its owner or an ADMIN, with/)).toBeTruthy();
  // A large one is deleted only by its name.
  const yes = question.getByText('Yes').closest('button') as HTMLButtonElement;
  expect(yes.disabled).toBe(true);
  enter(question.getByLabelText(/to confirm/), 'sales');
  expect(yes.disabled).toBe(true);
  enter(question.getByLabelText(/to confirm/), 'Sales');
  await waitFor(() => expect(yes.disabled).toBe(false));
  await user.click(question.getByText('Cancel'));
  await gone('Are you sure to delete Sales?');
  expect(service.callsOf('kapsules.remove')).toEqual([]);

  for (const isDropped of [true, false]) {
    await user.click(await icon('Budget'));
    const small = await dialogOf('Are you sure to delete Budget?');
    if (isDropped) {
      await user.click(small.getByLabelText('Delete table on mssql'));
      await user.click(small.getByLabelText('at once, for good'));
    }
    await user.click(small.getByText('Yes'));
    expect(await screen.findAllByText('Budget is deleted.')).not.toHaveLength(0);
    await gone('Are you sure to delete Budget?');
  }
  expect(service.callsOf('kapsules.remove').map(({ body }) => body)).toEqual([
    { kapsuleIds: ['id-Budget'], deleteTable: true, dropNow: true },
    { kapsuleIds: ['id-Budget'], deleteTable: false },
  ]);
});

test('Delete Selection works on what is selected and seen, sends once by Enter after the name, and lists what the service refuses', async () => {
  let present = list;
  const answer = Promise.withResolvers<Response>();
  const remove = () => {
    if (service.callsOf('kapsules.remove').length === 1) return answer.promise;
    present = list.filter(({ name }) => name === 'Stock');
    return { deleted: 2 };
  };
  const { user, service } = renderScreen('/data/kapsules', {
    as: plainUser,
    // Another service, which keeps nothing, and so has no list of deleted ones.
    answers: { kapsules: { list: () => present, remove } },
  });
  await user.click(await box('Sales'));
  expect(screen.queryByText('Deleted')).toBeNull();
  expect((await selectionButton('Delete Selection (1)')).disabled).toBe(false);
  enter(screen.getByRole('searchbox'), 'budget');
  expect((await selectionButton('Delete Selection')).disabled).toBe(true);
  enter(screen.getByRole('searchbox'), '');
  await user.click(await box('Budget'));
  await user.click(await selectionButton('Delete Selection (2)'));
  const title = 'Are you sure to delete 2 kapsules?';
  const first = await dialogOf(title);
  expect(first.getByText(/This can’t be undone/)).toBeTruthy();
  const named = first.getByRole('list', { name: 'Kapsules' }).querySelectorAll('strong');
  expect(Array.from(named, ({ textContent }) => textContent)).toEqual(['Sales', 'Budget']);
  // Enter activates the safe button.
  const cancel = first.getByText('Cancel').closest('button');
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  const name = first.getByLabelText('Type Sales to confirm:');
  enter(name, 'Sale');
  await user.type(name, '{Enter}');
  expect(service.callsOf('kapsules.remove')).toEqual([]);
  await user.type(name, 's{Enter}{Enter}');
  await user.click(first.getByText('Yes'));
  await waitFor(() => expect(service.callsOf('kapsules.remove')).toHaveLength(1));
  answer.resolve(refuse('DELETE_REFUSED', '["Stock","Plan"]'));
  const failure = await dialogOf('Failed To Delete');
  for (const part of ['Stock', 'Plan', /lack the delete permission/])
    expect(failure.getByText(part)).toBeTruthy();
  await user.click(failure.getByText('Close'));
  await gone('Failed To Delete');
  await gone(title);
  expect(service.callsOf('kapsules.remove')).toHaveLength(1);

  await user.click(await selectionButton('Delete Selection (2)'));
  const second = await dialogOf(title);
  await user.click(second.getByLabelText('Delete table on mssql'));
  enter(second.getByLabelText(/to confirm/), 'Sales');
  await user.click(second.getByText('Yes'));
  expect(await screen.findByText('2 kapsules are deleted.')).toBeTruthy();
  expect(service.callsOf('kapsules.remove')[1]?.body).toEqual({
    kapsuleIds: ['id-Sales', 'id-Budget'],
    deleteTable: true,
  });
  expect((await selectionButton('Delete Selection')).disabled).toBe(true);
  await waitFor(() => expect(screen.queryByLabelText('Select Sales')).toBeNull());
  expect(await box('Stock')).toBeTruthy();
});
