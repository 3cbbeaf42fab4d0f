import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';

const list = [
  sampleKapsule({
    name: 'Sales',
    authority: ['READ', 'DELETE'],
    granules: { total: 1234, notReloaded: 12 },
  }),
  sampleKapsule({ name: 'Budget', database: 'mssql', authority: ['READ', 'DELETE'] }),
  sampleKapsule({
    name: 'Staff',
    database: 'postgresql',
    authority: ['READ', 'DELETE'],
    tableMadeByService: false,
  }),
  sampleKapsule({ name: 'Stock' }),
];
const owned = list.map((kapsule) => ({ ...kapsule, ownerId: 'u-mara' }));
const answers = {
  kapsules: { list: () => owned, remove: () => ({ deleted: 1 }) },
  deletedKapsules: { list: () => [] },
};
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

describe('the delete icon', () => {
  test('shows for a USER with the authority DELETE, asks by name, and says what is lost', async () => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    await user.click(await icon('Sales'));
    expect(screen.queryByLabelText('Delete Stock')).toBeNull();
    const title = 'Are you sure to delete Sales?';
    const question = await dialogOf(title);
    expect(question.getByText('1,234 granules')).toBeTruthy();
    expect(question.getByText(/can be restored for 30 days by its owner or an ADMIN, with/)).toBeTruthy();
    expect(question.queryByRole('checkbox')).toBeNull();
    await user.click(question.getByText('Cancel'));
    await gone(title);
    expect(service.callsOf('kapsules.remove')).toEqual([]);

    // A large one is deleted only by its name.
    await user.click(await icon('Sales'));
    const again = await dialogOf(title);
    const yes = again.getByText('Yes').closest('button') as HTMLButtonElement;
    expect(yes.disabled).toBe(true);
    await user.type(again.getByLabelText(/to confirm/), 'sales');
    expect(yes.disabled).toBe(true);
    await user.clear(again.getByLabelText(/to confirm/));
    await user.type(again.getByLabelText(/to confirm/), 'Sales');
    await waitFor(() => expect(yes.disabled).toBe(false));
    await user.click(yes);
    expect(await screen.findByText('Sales is deleted.')).toBeTruthy();
    expect(service.callsOf('kapsules.remove')[0]?.body).toEqual({
      kapsuleIds: ['id-Sales'],
      deleteTable: false,
    });
  });

  test('asks whether a table on another database goes too, unless the service did not make the table', async () => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    const ask = async () => {
      await user.click(await icon('Budget'));
      return dialogOf('Are you sure to delete Budget?');
    };
    const confirm = async (question: Awaited<ReturnType<typeof ask>>) => {
      await user.click(question.getByText('Yes'));
      await gone('Are you sure to delete Budget?');
    };
    const first = await ask();
    const table = first.getByLabelText<HTMLInputElement>('Delete table on mssql');
    expect(table.checked).toBe(false);
    await user.click(table);
    expect(first.getByLabelText<HTMLInputElement>(/^in 30 days/).checked).toBe(true);
    await user.click(first.getByLabelText('at once, for good'));
    expect(first.getByText(/This can’t be undone/)).toBeTruthy();
    await confirm(first);
    const second = await ask();
    await user.click(second.getByLabelText('Delete table on mssql'));
    await confirm(second);
    await confirm(await ask());
    const bodies = service.callsOf('kapsules.remove').map(({ body }) => body);
    expect(bodies).toEqual([
      { kapsuleIds: ['id-Budget'], deleteTable: true, dropNow: true },
      { kapsuleIds: ['id-Budget'], deleteTable: true },
      { kapsuleIds: ['id-Budget'], deleteTable: false },
    ]);

    await user.click(await box('Budget'));
    await user.click(await box('Staff'));
    await user.click(await selectionButton('Delete Selection (2)'));
    const question = await dialogOf('Are you sure to delete 2 kapsules?');
    expect(question.queryByRole('checkbox')).toBeNull();
  });

  test('promises a restore to the owner, and names who else can where the user is not the owner of all', async () => {
    const mixed = owned.map((kapsule) =>
      kapsule.name === 'Budget' ? { ...kapsule, ownerId: plainUser.userId } : kapsule,
    );
    const { user } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { ...answers, kapsules: { list: () => mixed } },
    });
    await user.click(await icon('Budget'));
    const own = await dialogOf('Are you sure to delete Budget?');
    expect(own.getByText(/can be restored for 30 days, with/)).toBeTruthy();
    await user.click(own.getByText('Cancel'));
    await gone('Are you sure to delete Budget?');
    await user.click(await box('Sales'));
    await user.click(await box('Budget'));
    await user.click(await selectionButton('Delete Selection (2)'));
    const both = await dialogOf('Are you sure to delete 2 kapsules?');
    expect(both.getByText(/can be restored for 30 days by their owners or an ADMIN, with/)).toBeTruthy();
  });

  test('shows for an ADMIN on every row, who may delete any table', async () => {
    const { user } = renderScreen('/data/kapsules', { as: adminUser, answers });
    expect(await icon('Stock')).toBeTruthy();
    await user.click(await icon('Staff'));
    expect(await screen.findByLabelText('Delete table on postgresql')).toBeTruthy();
  });
});

test('asks for the name of one that the user may delete, and Enter after it deletes once', async () => {
  const large = { ...sampleKapsule({ name: 'Ledger' }), granules: { total: 99_999, notReloaded: 0 } };
  let isAnswered: (() => void) | undefined;
  const answered = new Promise<void>((resolve) => {
    isAnswered = resolve;
  });
  const remove = async () => {
    await answered;
    return refuse('DELETE_REFUSED', '["Ledger"]');
  };
  const { user, service } = renderScreen('/data/kapsules', {
    as: plainUser,
    answers: { kapsules: { list: () => [...list, large], remove } },
  });
  await user.click(await box('Sales'));
  await user.click(await box('Ledger'));
  await user.click(await selectionButton('Delete Selection (2)'));
  const question = await dialogOf('Are you sure to delete 2 kapsules?');
  const name = question.getByLabelText('Type Sales to confirm:');
  await user.type(name, 'Sale{Enter}');
  expect(service.callsOf('kapsules.remove')).toEqual([]);
  await user.type(name, 's{Enter}{Enter}');
  await user.click(question.getByText('Yes'));
  await waitFor(() => expect(service.callsOf('kapsules.remove')).toHaveLength(1));
  isAnswered?.();
  expect((await dialogOf('Failed To Delete')).getByText('Ledger')).toBeTruthy();
  await gone('Are you sure to delete 2 kapsules?');
  expect(service.callsOf('kapsules.remove')).toHaveLength(1);
});

test('Delete Selection works on what is selected and seen, and lists what the service refuses', async () => {
  let isRefusing = true;
  let present = list;
  const remove = () => {
    if (isRefusing) return refuse('DELETE_REFUSED', '["Stock","Plan"]');
    present = list.filter(({ name }) => name !== 'Sales' && name !== 'Stock');
    return { deleted: 2 };
  };
  const { user, service } = renderScreen('/data/kapsules', {
    as: plainUser,
    // Another service, which keeps nothing.
    answers: { kapsules: { list: () => present, remove } },
  });
  await user.click(await box('Sales'));
  expect((await selectionButton('Delete Selection (1)')).disabled).toBe(false);
  enter(screen.getByRole('searchbox'), 'stock');
  expect((await selectionButton('Delete Selection')).disabled).toBe(true);
  enter(screen.getByRole('searchbox'), '');
  await user.click(await box('Stock'));
  await user.click(await selectionButton('Delete Selection (2)'));
  const first = await dialogOf('Are you sure to delete 2 kapsules?');
  expect(first.getByText(/This can’t be undone/)).toBeTruthy();
  const named = first.getByRole('list', { name: 'Kapsules' }).querySelectorAll('strong');
  expect(Array.from(named, ({ textContent }) => textContent)).toEqual(['Sales', 'Stock']);
  // Enter activates the safe button.
  const cancel = first.getByText('Cancel').closest('button');
  await waitFor(() => expect(document.activeElement).toBe(cancel));
  await user.type(first.getByLabelText(/to confirm/), 'Sales');
  await user.click(first.getByText('Yes'));
  const failure = await dialogOf('Failed To Delete');
  for (const part of ['Stock', 'Plan', /lack the delete permission/])
    expect(failure.getByText(part)).toBeTruthy();
  await user.click(failure.getByText('Close'));
  await gone('Failed To Delete');

  isRefusing = false;
  await user.click(await selectionButton('Delete Selection (2)'));
  const second = await dialogOf('Are you sure to delete 2 kapsules?');
  await user.type(second.getByLabelText(/to confirm/), 'Sales');
  await user.click(second.getByText('Yes'));
  expect(await screen.findByText('2 kapsules are deleted.')).toBeTruthy();
  expect(service.callsOf('kapsules.remove')[1]?.body).toMatchObject({
    kapsuleIds: ['id-Sales', 'id-Stock'],
  });
  expect((await selectionButton('Delete Selection')).disabled).toBe(true);
  await waitFor(() => expect(screen.queryByLabelText('Select Sales')).toBeNull());
  expect(await box('Budget')).toBeTruthy();
});
