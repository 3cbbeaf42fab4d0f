import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
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
  sampleKapsule({ name: 'Stock' }),
];
const answers = { kapsules: { list: () => list, remove: () => ({ deleted: 1 }) } };
const button = (name: string | RegExp) => screen.findByRole('button', { name });
/** A dialog by its title; while another one leaves, both have the same id in jsdom. */
const dialogOf = async (title: string) => {
  const [found] = await screen.findAllByText(title);
  return found?.closest<HTMLElement>('[role="dialog"]') ?? document.body;
};
const isDisabled = (element: HTMLElement) => (element as HTMLButtonElement).disabled;

describe('the delete icon', () => {
  test('shows for an ADMIN on every row', async () => {
    renderScreen('/data/kapsules', { as: adminUser, answers });
    expect(await button('Delete Stock')).toBeTruthy();
    expect(await button('Delete Sales')).toBeTruthy();
  });

  test('shows for a USER only with the authority DELETE', async () => {
    renderScreen('/data/kapsules', { as: plainUser, answers });
    expect(await button('Delete Sales')).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Delete Stock' })).toBeNull();
  });

  test('asks by name, says what is lost, and deletes on Yes', async () => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    await user.click(await button('Delete Sales'));
    const question = await dialogOf('Are you sure to delete Sales?');
    expect(within(question).getByText('1,234 granules')).toBeTruthy();
    expect(within(question).queryByRole('checkbox')).toBeNull();
    expect(service.callsOf('kapsules.remove')).toEqual([]);
    await user.click(within(question).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('Sales is deleted.')).toBeTruthy();
    expect(service.callsOf('kapsules.remove')[0]?.body).toEqual({
      kapsuleIds: ['id-Sales'],
      deleteTable: false,
    });
  });

  test('deletes nothing on Cancel', async () => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    await user.click(await button('Delete Sales'));
    await user.click(await button('Cancel'));
    expect(service.callsOf('kapsules.remove')).toEqual([]);
  });
});

describe('a kapsule on another database', () => {
  test.each([true, false])('asks whether its table goes too: %s', async (isWanted) => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    await user.click(await button('Delete Budget'));
    const box = await screen.findByRole('checkbox', { name: 'Delete table on mssql' });
    expect((box as HTMLInputElement).checked).toBe(false);
    if (isWanted) await user.click(box);
    await user.click(await button('Yes'));
    await waitFor(() => expect(service.callsOf('kapsules.remove')).toHaveLength(1));
    expect(service.callsOf('kapsules.remove')[0]?.body).toMatchObject({ deleteTable: isWanted });
  });
});

describe('a table that the service did not make', () => {
  const foreign = sampleKapsule({
    name: 'Staff',
    database: 'postgresql',
    authority: ['READ', 'DELETE'],
    tableMadeByService: false,
  });
  const served = { kapsules: { ...answers.kapsules, list: () => [foreign, ...list] } };

  test('is not offered for deletion to a USER', async () => {
    const { user } = renderScreen('/data/kapsules', { as: plainUser, answers: served });
    await user.click(await screen.findByRole('checkbox', { name: 'Select Budget' }));
    await user.click(await screen.findByRole('checkbox', { name: 'Select Staff' }));
    await user.click(await button('Delete Selection (2)'));
    const question = await dialogOf('Are you sure to delete 2 kapsules?');
    expect(within(question).queryByRole('checkbox')).toBeNull();
  });

  test('is offered for deletion to an ADMIN', async () => {
    const { user } = renderScreen('/data/kapsules', { as: adminUser, answers: served });
    await user.click(await button('Delete Staff'));
    expect(await screen.findByRole('checkbox', { name: 'Delete table on postgresql' })).toBeTruthy();
  });
});

describe('Delete Selection', () => {
  test('is disabled with nothing selected, and says how many are', async () => {
    const { user, service } = renderScreen('/data/kapsules', { as: plainUser, answers });
    expect(isDisabled(await button('Delete Selection'))).toBe(true);
    await user.click(screen.getByRole('checkbox', { name: 'Select Sales' }));
    await user.click(screen.getByRole('checkbox', { name: 'Select Stock' }));
    await user.click(await button('Delete Selection (2)'));
    expect(await screen.findByRole('dialog', { name: 'Are you sure to delete 2 kapsules?' })).toBeTruthy();
    await user.click(await button('Yes'));
    expect(await screen.findByText('2 kapsules are deleted.')).toBeTruthy();
    expect(service.callsOf('kapsules.remove')[0]?.body).toMatchObject({
      kapsuleIds: ['id-Sales', 'id-Stock'],
    });
    expect(isDisabled(await button('Delete Selection'))).toBe(true);
  });

  test('leaves out what the search hides', async () => {
    const { user } = renderScreen('/data/kapsules', { as: plainUser, answers });
    await user.click(await screen.findByRole('checkbox', { name: 'Select Sales' }));
    await user.type(screen.getByRole('searchbox'), 'stock');
    expect(isDisabled(await button('Delete Selection'))).toBe(true);
  });

  test.each([
    ['lists the names of the message', '["Stock","Plan"]', ['Stock', 'Plan']],
    ['shows a message that is no list as it is', 'The database sleeps.', ['The database sleeps.']],
  ])('that is refused %s', async (_, text, expected) => {
    const refusing = { kapsules: { ...answers.kapsules, remove: () => refuse('DELETE_REFUSED', text) } };
    const { user } = renderScreen('/data/kapsules', { as: plainUser, answers: refusing });
    await user.click(await screen.findByRole('checkbox', { name: 'Select Stock' }));
    await user.click(await button('Delete Selection (1)'));
    await user.click(await button('Yes'));
    const dialog = await dialogOf('Failed To Delete');
    for (const part of expected) expect(within(dialog).getByText(part)).toBeTruthy();
    expect(within(dialog).queryByText(/lack the delete permission/) !== null).toBe(text.startsWith('['));
  });
});
