import type { Group } from '@kaptain/contract/groups';
import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { notices } from '../../testing/notices.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

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
async function openDialog(name: string | undefined, answers: Answers) {
  const rendered = open(answers);
  const opener = name ? screen.findByLabelText(`Edit ${name}`) : screen.findByText('Create Group');
  await rendered.user.click(await opener);
  const dialog = within(await screen.findByRole('dialog'));
  // The dialog focuses its first field when it has opened; until then it would take the focus away again.
  await waitFor(() => expect(document.activeElement).toBe(field('Group name')));
  return { ...rendered, dialog, save: () => rendered.user.click(dialog.getByText('Save')) };
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const boxes = () => [field('READ').checked, field('DELETE').checked];
const offered = () =>
  Array.from(document.querySelectorAll('.ant-select-item-option-content'), ({ textContent }) => textContent);

afterEach(() => vi.restoreAllMocks());

describe('the groups page', () => {
  test('shows name, permission, kapsules and users, and leads to the audit entries', async () => {
    const { user } = open();
    const row = (await screen.findByText('Sales')).closest('tr');
    const cells = Array.from(row?.cells ?? [], ({ textContent }) => textContent);
    expect(cells.slice(0, 4)).toEqual(['Sales', 'READ', '2', '1']);
    await user.click(screen.getByLabelText('Kapsules of Sales: 2'));
    expect(await screen.findByText('Orders')).toBeTruthy();
    await user.click(screen.getByLabelText('Users of Sales: 1'));
    expect(await screen.findByText('jane')).toBeTruthy();
    await user.click(screen.getByLabelText('Audit entries of Sales'));
    expect(location.pathname + location.search).toBe('/system/audit?target=group%3Ag-1');
  });

  test('is an empty list, silently, when it cannot be loaded', async () => {
    open(serviceWith({ list: () => refuse('INTERNAL', 'Broken inside.') }));
    await screen.findByText('No groups to show');
    expect(notices()).toEqual([]);
    expect(screen.getByText('Retry')).toBeTruthy();
  });

  test('deletes a group after telling what is lost', async () => {
    let groups: Group[] = [sales];
    const answers = serviceWith({
      list: () => groups,
      remove: () => {
        groups = [];
        return { status: 'success' };
      },
    });
    const { user, service } = open(answers);
    await user.click(await screen.findByLabelText('Delete Sales'));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete Sales?' });
    expect(dialog.textContent).toContain('1 user loses READ on 2 kapsules at once');
    expect(service.callsOf('groups.remove')).toEqual([]);
    await user.click(within(dialog).getByText('Yes'));
    expect(await screen.findByText('No groups yet')).toBeTruthy();
  });
});

describe('the dialog of a group', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ _id: `k-${index}`, name: `Kapsule ${index}` }));
  const taken = 'A group with this name exists already.';

  test('asks for name and permission, lets DELETE force READ, only logs a refusal, and sends what is chosen', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let groups = [sales];
    const { user, save, service } = await openDialog(undefined, {
      ...serviceWith({
        list: () => groups,
        create: ({ body: { groupname } }) => {
          if (groupname === 'South') return refuse('CONFLICT', taken);
          groups = [sales, { ...sales, _id: 'g-2', groupname }];
          return sales;
        },
      }),
      kapsules: { list: () => many },
    });
    expect(boxes()).toEqual([true, true]);
    expect(field('READ').disabled).toBe(true);
    await user.click(field('DELETE'));
    await user.click(field('READ'));
    await save();
    expect(await screen.findByText('Please input your group name!')).toBeTruthy();
    expect(await screen.findByText('Please select your Group Permission!')).toBeTruthy();
    expect(service.callsOf('groups.create')).toEqual([]);
    await user.click(field('DELETE'));
    expect(boxes()).toEqual([true, true]);

    enter(field('Group name'), 'South');
    await save();
    await waitFor(() => expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: taken })));
    expect(notices()).toEqual([]);
    expect(field('Group name').value).toBe('South');

    await user.type(field('Kapsules'), 'kapsule 99');
    await waitFor(() => expect(offered()[0]).toBe('Kapsule 99'));
    // A list of a thousand draws only the options in view.
    expect(offered().length).toBeLessThan(30);
    await user.click(screen.getByText('Kapsule 99'));
    await user.click(field('Users'));
    await waitFor(() => expect(offered()).toContain('leo'));
    expect(offered()).not.toContain('admin');
    await user.click(screen.getByText('leo'));
    enter(field('Group name'), 'Finance');
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(await screen.findByLabelText('Edit Finance')).toBeTruthy();
    expect(service.callsOf('groups.create')[1]?.body).toEqual({
      groupname: 'Finance',
      authority: ['READ', 'DELETE'],
      kapsules: [{ kapsulecode: 'k-99', kapsulename: 'Kapsule 99' }],
      users: [{ userid: 'u-leo', username: 'leo' }],
    });
  });

  test('tells that the group has changed meanwhile, and overwrites nothing', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let version = 7;
    const { save, service, dialog } = await openDialog(
      'Sales',
      serviceWith({
        list: () => [{ ...sales, version }],
        update: () => {
          version = 8;
          return refuse('STALE', 'This was changed meanwhile.');
        },
      }),
    );
    expect(dialog.getByText('Update Group')).toBeTruthy();
    expect(boxes()).toEqual([true, false]);
    await save();
    expect(await screen.findByText(/Another user has changed this group meanwhile/)).toBeTruthy();
    await save();
    await waitFor(() => expect(service.callsOf('groups.update')).toHaveLength(2));
    for (const { url, body } of service.callsOf('groups.update')) {
      expect(url).toMatch(/\/api\/group\/update\/g-1$/);
      expect(body).toMatchObject({ groupId: 'g-1', groupname: 'Sales', version: 7 });
    }
  });
});

test('the dialog of a group tells that the group is deleted meanwhile', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  let groups = [sales];
  const { save } = await openDialog(
    'Sales',
    serviceWith({
      list: () => groups,
      update: () => {
        groups = [];
        return refuse('NOT_FOUND', 'There is no such group.');
      },
    }),
  );
  await save();
  expect(await screen.findByText(/Another user has deleted this group meanwhile/)).toBeTruthy();
});

test('a new group whose save finds no service behind a proxy is not called deleted', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const create = () => refuse('NOT_FOUND', 'No such address.');
  const { save } = await openDialog(undefined, serviceWith({ create }));
  enter(field('Group name'), 'North');
  await save();
  await waitFor(() => expect(logged).toHaveBeenCalled());
  await waitFor(() => expect(document.querySelector('.ant-btn-loading')).toBeNull());
  expect(screen.queryByText(/Another user has deleted this group/)).toBeNull();
});

describe('the name of a group', () => {
  const taken = 'A group with this name exists already.';

  test('that is taken is refused before the save, in any spelling; its own is not', async () => {
    const { dialog, save, service } = await openDialog(undefined, serviceWith());
    enter(field('Group name'), ' sALES ');
    await save();
    expect(await dialog.findByText(taken)).toBeTruthy();
    expect(service.callsOf('groups.create')).toEqual([]);
  });

  test('that another user takes meanwhile is told at the field after the refused save', async () => {
    vi.spyOn(console, 'error').mockReturnValue(undefined);
    let list = [sales];
    const create = () => {
      list = [sales, { ...sales, _id: 'g-2', groupname: 'North' }];
      return refuse('CONFLICT', 'A group with this name exists already.');
    };
    const { dialog, save } = await openDialog(undefined, serviceWith({ list: () => list, create }));
    enter(field('Group name'), 'North');
    await save();
    expect(await dialog.findByText(taken)).toBeTruthy();
  });
});

test('an empty list of groups offers the first one, a failed one Retry', async () => {
  const { user, unmount } = open(serviceWith({ list: () => [] }));
  await user.click(await screen.findByText('Create the first group'));
  expect(await screen.findByRole('dialog')).toBeTruthy();
  expect(screen.queryByText('Retry')).toBeNull();
  unmount();
  open(serviceWith({ list: () => refuse('UNAVAILABLE', 'later') }));
  expect(await screen.findByText('Retry')).toBeTruthy();
  expect(screen.queryByText('Create the first group')).toBeNull();
});
