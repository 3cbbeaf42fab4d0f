import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { screens } from '../../app/screens.ts';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleKapsule as kapsule } from '../../testing/sample-kapsule.ts';

const list = [
  kapsule({
    name: 'Sales',
    table: 'SalesComments',
    owner: 'exactly-18-letters',
    ownerId: 'u-mara',
    granules: { total: 1234, notReloaded: 12 },
  }),
  kapsule({ name: 'budget', table: 'FC', owner: 'one-more-than-18-ch', database: 'mssql' }),
  kapsule({
    name: 'Année',
    table: 'T_2',
    owner: 'x',
    state: 'unavailable',
    stateMessage: 'PostgreSQL: The server can not be reached.',
  }),
];
const answers = { kapsules: { list: () => list } };
const rows = async () => {
  const table = await screen.findByRole<HTMLTableElement>('table', { name: /./ });
  return Array.from(table.tBodies[0]?.rows ?? []).filter(({ hidden, ariaHidden }) => !hidden && !ariaHidden);
};
const textsOf = (row: HTMLTableRowElement | undefined) =>
  Array.from(row?.cells ?? [], ({ textContent }) => textContent);
// The first cell is the checkbox.
const names = async () => (await rows()).map((row) => row.cells[1]?.textContent);

afterEach(() => vi.restoreAllMocks());

test('the fields of a list that counts them are loaded when their popover opens', async () => {
  const whole = kapsule({ _id: 'k-1', name: 'Sales' });
  const counted = { ...whole, fields: [], fieldCount: 12 };
  const { user, service } = renderScreen('/data/kapsules', {
    as: plainUser,
    answers: { kapsules: { list: () => [counted], get: () => whole } },
  });
  const button = await screen.findByRole('button', { name: '12 fields of Sales' });
  expect(service.callsOf('kapsules.list')[0]?.url).toContain('withoutFields=true');
  expect(service.callsOf('kapsules.get')).toEqual([]);
  await user.click(button);
  expect(await screen.findByText(whole.fields[0]?.name ?? '')).toBeTruthy();
  expect(service.callsOf('kapsules.get')).toHaveLength(1);
});

describe('the owner of a kapsule', () => {
  const owned = kapsule({ _id: 'k-1', name: 'Sales', owner: 'jane', ownerId: 'u-jane' });
  const orphan = kapsule({ _id: 'k-2', name: 'Stock', owner: 'gone', ownerId: '' });
  const foreign = kapsule({ name: 'Foreign', owner: 'jane' });
  const users = {
    list: () => ({
      data: [
        { userId: 'u-jane', username: 'jane', role: 'USER' as const },
        { userId: 'u-leo', username: 'leo', role: 'USER' as const },
      ],
    }),
  };

  test('is changed by an ADMIN, to any other user, except at a service that does not name it by id', async () => {
    const changeOwner = () => ({ status: 'success' });
    const { user, service } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { list: () => [owned, orphan, foreign], changeOwner }, users },
    });
    expect(await screen.findByRole('button', { name: 'Change the owner of Stock: gone' })).toBeTruthy();
    expect(screen.queryByRole('button', { name: /^Change the owner of Foreign/ })).toBeNull();
    // Spec 6: an ADMIN may delete each, whatever their authority.
    expect(screen.getAllByLabelText(/^Delete /)).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: 'Change the owner of Sales: jane' }));
    const dialog = within(await screen.findByRole('dialog'));
    await user.click(dialog.getByText('Save'));
    expect(await dialog.findByText('New owner is required!')).toBeTruthy();
    await user.click(screen.getByLabelText('New owner'));
    await user.click(await screen.findByText('leo', { selector: '.ant-select-item-option-content' }));
    await user.click(dialog.getByText('Save'));
    expect(await screen.findByText('Sales belongs to leo now.')).toBeTruthy();
    expect(service.callsOf('kapsules.changeOwner')[0]?.body).toEqual({
      kapsuleIds: ['k-1'],
      userId: 'u-leo',
    });
  });
});

describe('the kapsule list', () => {
  test('that is empty offers the first step', async () => {
    const { user } = renderScreen('/data/kapsules', {
      as: adminUser,
      answers: { kapsules: { list: () => [] } },
    });
    await user.click(await screen.findByText('Choose .kap files'));
    expect(await screen.findByText('Start Upload')).toBeTruthy();
    expect(screen.queryByText('Retry')).toBeNull();
  });

  test('takes search and order from the URL and puts them there, keeps every letter however fast it is typed, and shows every column', async () => {
    const { user } = renderScreen('/data/kapsules?q=sales', { as: plainUser, answers });
    expect(await names()).toEqual(['Sales']);
    await user.keyboard('/');
    const search = screen.getByRole<HTMLInputElement>('searchbox');
    expect(document.activeElement).toBe(search);
    // Without a pause for React between the keys, in place of the text that `/` has selected.
    const selection = { initialSelectionStart: 0, initialSelectionEnd: 5 };
    await userEvent.setup({ delay: null }).type(search, 'BUDG', selection);
    expect(search.value).toBe('BUDG');
    expect(screen.getByRole('button', { name: 'Clear the search' })).toBeTruthy();
    await waitFor(async () => expect(await names()).toEqual(['budget']));
    expect(screen.getByRole('status').textContent).toBe('1 of 3 kapsules');
    expect(location.search).toBe('?q=BUDG');
    enter(search, 'corporate');
    expect(await screen.findByText('No kapsule matches “corporate”')).toBeTruthy();

    enter(search, '');
    await waitFor(async () => expect(await names()).toEqual(['Année', 'budget', 'Sales']));
    expect(textsOf((await rows())[2]).slice(1, -1)).toEqual([
      'Sales',
      'SalesComments',
      'OrderID',
      'kaptaindb',
      'exactly-18-letters',
      '1',
      '1,234',
      '1% 12',
      '2026-03-04 05:06:07',
    ]);
    expect(screen.queryByRole('button', { name: /^Change the owner/ })).toBeNull();
    const header = screen.getByRole('columnheader', { name: 'Table' });
    await user.click(header);
    expect(await names()).toEqual(['budget', 'Sales', 'Année']);
    expect(location.search).toBe('?sort=table');
    await user.click(header);
    expect(await names()).toEqual(['Année', 'Sales', 'budget']);
    expect(location.search).toBe('?sort=-table');

    // A long owner, the age of a time and the reason of a state stand in tooltips.
    await user.hover(screen.getByText('one-more-than-18-c…'));
    expect(await screen.findByText('one-more-than-18-ch')).toBeTruthy();
    await user.hover(document.querySelector('td time') as Element);
    expect(await screen.findByText(/ · UTC \(GMT/)).toBeTruthy();
    await user.hover(screen.getByText('Unavailable'));
    expect(await screen.findByText('PostgreSQL: The server can not be reached.')).toBeTruthy();
  });

  test('that cannot be loaded says so in the words of the specification and is tried again; it may be wrapped, with only the barest fields', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isBroken = true;
    const wrapped = { data: [{ _id: '1', name: 'Foreign' }] };
    const broken = () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : Response.json(wrapped));
    const { user } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { kapsules: { list: broken } },
      screens: screens.filter(({ path }) => !path.includes(':')),
    });
    expect(await screen.findByText('Kapsules load Failed! Check console for log')).toBeTruthy();
    expect(screen.getByText('The database sleeps.')).toBeTruthy();
    expect(screen.getByText('request-1')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
    expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'The database sleeps.' }));
    isBroken = false;
    await user.click(screen.getByText('Retry'));
    const [row] = await rows();
    expect(row?.cells[1]?.textContent).toBe('Foreign');
    // The screen to which its link would lead is not there.
    expect(within(row as HTMLElement).queryByRole('link')).toBeNull();
  });

  test('of the alternative variant never says kapsule or granule, not even when it fails', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isBroken = true;
    const broken = () => (isBroken ? refuse('INTERNAL', 'broken') : list);
    const { user } = renderScreen('/data/kapsules', {
      as: plainUser,
      variant: 'alternative',
      answers: { kapsules: { list: broken } },
    });
    expect(await screen.findByText('Data sources load Failed! Check console for log')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByText('Retry'));
    expect(await names()).toHaveLength(3);
    expect(screen.getByRole('heading', { name: 'Data sources' })).toBeTruthy();
    expect(screen.getByRole('columnheader', { name: 'Records' })).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/kapsule|granule|komment|kaptain/i);
    expect(document.title).toBe('Data sources · Commentary');
  });
});
