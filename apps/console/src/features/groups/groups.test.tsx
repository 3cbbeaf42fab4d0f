import type { Group } from '@kaptain/contract/groups';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';

// Working out what is hidden takes most of the time in jsdom, and the browser tests know better.
configure({ defaultHidden: true });

const sales: Group = {
  _id: 'g-1',
  groupname: 'Sales',
  authority: ['READ'],
  kapsules: [
    { kapsulecode: 'k-1', kapsulename: 'Orders' },
    { kapsulecode: 'k-2', kapsulename: 'Budget' },
  ],
  users: [{ userid: 'u-jane', username: 'jane' }],
  version: 7,
};
const serviceWith = (groups: Answers['groups'] = {}): Answers => ({
  groups: { list: () => [sales], ...groups },
  kapsules: {
    list: () => [
      { _id: 'k-1', name: 'Orders' },
      { _id: 'k-2', name: 'Budget' },
      { _id: 'k-3', name: 'Returns' },
    ],
  },
  users: {
    list: () => ({
      data: [
        { userId: 'u-admin', username: 'admin', role: 'ADMIN' },
        { userId: 'u-jane', username: 'jane', role: 'USER' },
        { userId: 'u-leo', username: 'leo', role: 'USER' },
      ],
    }),
  },
  audit: { list: () => ({ data: [], next: null }) },
});

const open = (answers = serviceWith()) => renderScreen('/system/groups', { as: adminUser, answers });
async function openDialog(name: string | undefined, answers = serviceWith()) {
  const rendered = open(answers);
  const opener = name ? screen.findByLabelText(`Edit ${name}`) : screen.findByText('Create Group');
  await rendered.user.click(await opener);
  const dialog = await screen.findByRole('dialog');
  return { ...rendered, dialog, save: () => rendered.user.click(within(dialog).getByText('Save')) };
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const box = (name: 'READ' | 'DELETE') => field(name);
const offered = () =>
  Array.from(document.querySelectorAll('.ant-select-item-option-content'), ({ textContent }) => textContent);

afterEach(() => vi.restoreAllMocks());

describe('the groups page', () => {
  test('shows name, permission, kapsules and users', async () => {
    const { user } = open();
    await screen.findByText('Sales');
    const [, row] = screen.getAllByRole('row');
    if (!row) throw new Error('There is no row.');
    expect(
      within(row)
        .getAllByRole('cell')
        .slice(0, 4)
        .map(({ textContent }) => textContent),
    ).toEqual(['Sales', 'READ', '2', '1']);
    await user.click(screen.getByLabelText('Kapsules of Sales: 2'));
    expect(await screen.findByText('Orders')).toBeTruthy();
    await user.click(screen.getByLabelText('Users of Sales: 1'));
    expect(await screen.findByText('jane')).toBeTruthy();
  });

  test('is an empty list, silently, when it cannot be loaded', async () => {
    open(serviceWith({ list: () => refuse('INTERNAL', 'Broken inside.') }));
    await screen.findByRole('heading', { name: 'No groups to show' });
    expect(screen.queryByText('Broken inside.')).toBeNull();
    expect(screen.getByText('Retry')).toBeTruthy();
  });

  test('is not there for a USER', async () => {
    renderScreen('/system/groups', { as: plainUser, answers: serviceWith() });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });

  test('leads to the audit entries of a group', async () => {
    const { user } = open();
    await user.click(await screen.findByLabelText('Audit entries of Sales'));
    expect(location.pathname + location.search).toBe('/system/audit?target=group%3Ag-1');
  });
});

describe('creating a group', () => {
  test('asks for a name and a permission; both READ and DELETE are chosen at first', async () => {
    const { user, save, service } = await openDialog(undefined);
    expect([box('READ').checked, box('DELETE').checked]).toEqual([true, true]);
    await user.click(box('DELETE'));
    await user.click(box('READ'));
    await save();
    expect(await screen.findByText('Please input your group name!')).toBeTruthy();
    expect(await screen.findByText('Please select your Group Permission!')).toBeTruthy();
    expect(service.callsOf('groups.create')).toEqual([]);
  });

  test('lets DELETE force READ', async () => {
    const { user } = await openDialog(undefined);
    expect(box('READ').disabled).toBe(true);
    await user.click(box('DELETE'));
    await user.click(box('READ'));
    await user.click(box('DELETE'));
    expect([box('READ').checked, box('DELETE').checked]).toEqual([true, true]);
  });

  test('offers only users with the role USER', async () => {
    const { user } = await openDialog(undefined);
    await user.click(field('Users'));
    await waitFor(() => expect(offered()).toEqual(['jane', 'leo']));
  });

  test('sends names beside the ids', async () => {
    const { user, save, service } = await openDialog(undefined, serviceWith({ create: () => sales }));
    await user.type(field('Group name'), ' Finance ');
    await user.type(field('Kapsules'), 'ret');
    await user.click(await screen.findByText('Returns'));
    await user.click(field('Users'));
    await user.click(await screen.findByText('leo'));
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('groups.create').map(({ body }) => body)).toEqual([
      {
        groupname: 'Finance',
        authority: ['READ', 'DELETE'],
        kapsules: [{ kapsulecode: 'k-3', kapsulename: 'Returns' }],
        users: [{ userid: 'u-leo', username: 'leo' }],
      },
    ]);
  });

  test('only logs a refusal and keeps what was entered', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const taken = () => refuse('CONFLICT', 'A group with this name exists already.');
    const { user, save } = await openDialog(undefined, serviceWith({ create: taken }));
    await user.type(field('Group name'), 'Sales');
    await save();
    await waitFor(() =>
      expect(logged).toHaveBeenCalledWith(
        expect.objectContaining({ message: 'A group with this name exists already.' }),
      ),
    );
    expect(screen.queryByText('A group with this name exists already.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(field('Group name').value).toBe('Sales');
  });
});

describe('updating a group', () => {
  test('sends the version it began with and its id twice', async () => {
    const { service, save, dialog } = await openDialog('Sales', serviceWith({ update: () => sales }));
    expect(within(dialog).getByText('Update Group')).toBeTruthy();
    await save();
    await waitFor(() => expect(service.callsOf('groups.update')).toHaveLength(1));
    const [call] = service.callsOf('groups.update');
    expect(call?.url).toMatch(/\/api\/group\/update\/g-1$/);
    expect(call?.body).toEqual({
      groupId: 'g-1',
      groupname: 'Sales',
      authority: ['READ'],
      kapsules: sales.kapsules,
      users: sales.users,
      version: 7,
    });
  });

  test('sends no version to a service that has none', async () => {
    const { version: _, ...plain } = sales;
    const answers = serviceWith({ list: () => [plain], update: () => plain });
    const { service, save } = await openDialog('Sales', answers);
    await save();
    await waitFor(() => expect(service.callsOf('groups.update')).toHaveLength(1));
    expect(service.callsOf('groups.update')[0]?.body).not.toHaveProperty('version');
  });

  test('tells that somebody else has changed the group, and overwrites nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let version = 7;
    const { save, service } = await openDialog(
      'Sales',
      serviceWith({
        list: () => [{ ...sales, version }],
        update: () => {
          version = 8;
          return refuse('STALE', 'Somebody else changed this meanwhile.');
        },
      }),
    );
    await save();
    expect(await screen.findByText(/Somebody else has changed this group meanwhile/)).toBeTruthy();
    await save();
    await waitFor(() => expect(service.callsOf('groups.update')).toHaveLength(2));
    expect(service.callsOf('groups.update')[1]?.body).toMatchObject({ version: 7 });
  });
});

test('deleting a group names what is lost and asks first', async () => {
  let groups: Group[] = [sales];
  const answers = serviceWith({
    list: () => groups,
    remove: () => {
      groups = [];
      return { status: 'success' };
    },
  });
  const { user } = open(answers);
  await user.click(await screen.findByLabelText('Delete Sales'));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete Sales?' });
  expect(dialog.textContent).toContain('1 user loses READ on 2 kapsules at once');
  await user.click(within(dialog).getByRole('button', { name: 'Yes' }));
  expect(await screen.findByRole('heading', { name: 'No groups to show' })).toBeTruthy();
});

test('a group with a thousand kapsules and users is still one dialog', async () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ _id: `k-${index}`, name: `Kapsule ${index}` }));
  const { user } = await openDialog(undefined, {
    ...serviceWith(),
    kapsules: { list: () => many },
  });
  await user.type(field('Kapsules'), 'kapsule 99');
  await waitFor(() => expect(offered()[0]).toBe('Kapsule 99'));
  // Only what can be seen is drawn.
  expect(offered().length).toBeLessThan(30);
});
