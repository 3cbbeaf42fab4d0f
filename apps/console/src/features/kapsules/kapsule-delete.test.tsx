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
const answers = { kapsules: { list: () => list, remove: () => ({ deleted: 1 }) } };
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
    expect(question.queryByRole('checkbox')).toBeNull();
    await user.click(question.getByText('Cancel'));
    await gone(title);
    expect(service.callsOf('kapsules.remove')).toEqual([]);

    await user.click(await icon('Sales'));
    await user.click((await dialogOf(title)).getByText('Yes'));
    expect(await screen.findByText('Sales is deleted.')).toBeTruthy();
    expect(service.callsOf('kapsules.remove')[0]?.body).toEqual({
      kapsuleIds: ['id-Sales'],
      deleteTable: false,
    });
  });

  test('asks whether a table on another database goes too, unless the service did not make the table', async () => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    for (const isWanted of [true, false]) {
      await user.click(await icon('Budget'));
      const question = await dialogOf('Are you sure to delete Budget?');
      const table = question.getByLabelText<HTMLInputElement>('Delete table on mssql');
      expect(table.checked).toBe(false);
      if (isWanted) await user.click(table);
      await user.click(question.getByText('Yes'));
      await gone('Are you sure to delete Budget?');
    }
    const bodies = service.callsOf('kapsules.remove').map(({ body }) => body);
    expect(bodies).toMatchObject([{ deleteTable: true }, { deleteTable: false }]);

    await user.click(await box('Budget'));
    await user.click(await box('Staff'));
    await user.click(await selectionButton('Delete Selection (2)'));
    const question = await dialogOf('Are you sure to delete 2 kapsules?');
    expect(question.queryByRole('checkbox')).toBeNull();
  });

  test('shows for an ADMIN on every row, who may delete any table', async () => {
    const { user } = renderScreen('/data/kapsules', { as: adminUser, answers });
    expect(await icon('Stock')).toBeTruthy();
    await user.click(await icon('Staff'));
    expect(await screen.findByLabelText('Delete table on postgresql')).toBeTruthy();
  });
});

test('Delete Selection works on what is selected and seen, and lists what the service refuses', async () => {
  let isRefusing = true;
  const remove = () => (isRefusing ? refuse('DELETE_REFUSED', '["Stock","Plan"]') : { deleted: 2 });
  const { user, service } = renderScreen('/data/kapsules', {
    as: plainUser,
    answers: { kapsules: { ...answers.kapsules, remove } },
  });
  await user.click(await box('Sales'));
  expect((await selectionButton('Delete Selection (1)')).disabled).toBe(false);
  enter(screen.getByRole('searchbox'), 'stock');
  expect((await selectionButton('Delete Selection')).disabled).toBe(true);
  enter(screen.getByRole('searchbox'), '');
  await user.click(await box('Stock'));
  await user.click(await selectionButton('Delete Selection (2)'));
  await user.click((await dialogOf('Are you sure to delete 2 kapsules?')).getByText('Yes'));
  const failure = await dialogOf('Failed To Delete');
  for (const part of ['Stock', 'Plan', /lack the delete permission/])
    expect(failure.getByText(part)).toBeTruthy();
  await user.click(failure.getByText('Close'));
  await gone('Failed To Delete');

  isRefusing = false;
  await user.click(await selectionButton('Delete Selection (2)'));
  await user.click((await dialogOf('Are you sure to delete 2 kapsules?')).getByText('Yes'));
  expect(await screen.findByText('2 kapsules are deleted.')).toBeTruthy();
  expect(service.callsOf('kapsules.remove')[1]?.body).toMatchObject({
    kapsuleIds: ['id-Sales', 'id-Stock'],
  });
  expect((await selectionButton('Delete Selection')).disabled).toBe(true);
});
