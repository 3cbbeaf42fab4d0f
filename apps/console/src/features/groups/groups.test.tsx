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

test('a list of groups that cannot be loaded is empty, silently; loaded again it shows name, permission, kapsules and users, deletes a group after telling what is lost, and leads to the audit entries', async () => {
  let isBroken = true;
  let groups: Group[] = [sales, { ...sales, _id: 'g-2', groupname: 'North', users: [] }];
  const answers = serviceWith({
    list: () => (isBroken ? refuse('INTERNAL', 'Broken inside.') : groups),
    remove: () => {
      groups = groups.slice(1);
      return { status: 'success' };
    },
  });
  const { user, service } = open(answers);
  await screen.findByText('No groups to show');
  expect(notices()).toEqual([]);
  expect(screen.queryByText('Create the first group')).toBeNull();
  isBroken = false;
  await user.click(screen.getByText('Retry'));
  const row = (await screen.findByText('Sales')).closest('tr');
  const cells = Array.from(row?.cells ?? [], ({ textContent }) => textContent);
  expect(cells.slice(0, 4)).toEqual(['Sales', 'READ', '2', '1']);
  await user.click(screen.getByLabelText('Kapsules of Sales: 2'));
  expect(await screen.findByText('Orders')).toBeTruthy();
  await user.click(screen.getByLabelText('Users of Sales: 1'));
  expect(await screen.findByText('jane')).toBeTruthy();

  await user.click(screen.getByLabelText('Delete Sales'));
  const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete Sales?' });
  expect(dialog.textContent).toContain('1 user loses READ on 2 kapsules at once');
  expect(service.callsOf('groups.remove')).toEqual([]);
  await user.click(within(dialog).getByText('Yes'));
  await waitFor(() => expect(screen.queryByLabelText('Edit Sales')).toBeNull());

  await user.click(screen.getByLabelText('Audit entries of North'));
  expect(location.pathname + location.search).toBe('/system/audit?target=group%3Ag-2');
});

describe('the dialog of a group', () => {
  const many = Array.from({ length: 1000 }, (_, index) => ({ _id: `k-${index}`, name: `Kapsule ${index}` }));
  const taken = 'A group with this name exists already.';

  test('asks for name and permission, lets DELETE force READ, and sends what is chosen', async () => {
    let groups = [sales];
    const { user, save, service } = await openDialog(undefined, {
      ...serviceWith({
        list: () => groups,
        create: ({ body: { groupname } }) => {
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

    enter(field('Kapsules'), 'kapsule 99');
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
    expect(service.callsOf('groups.create').map(({ body }) => body)).toEqual([
      {
        groupname: 'Finance',
        authority: ['READ', 'DELETE'],
        kapsules: [{ kapsulecode: 'k-99', kapsulename: 'Kapsule 99' }],
        users: [{ userid: 'u-leo', username: 'leo' }],
      },
    ]);
  });

  test('offers WRITE where the service has it: WRITE forces READ, DELETE shows WRITE as included, and what was given is kept', async () => {
    const writers: Group = { ...sales, _id: 'g-2', groupname: 'Writers', authority: ['READ', 'WRITE'] };
    const authorities = () => ['READ' as const, 'WRITE' as const, 'DELETE' as const];
    const answers = serviceWith({ authorities, list: () => [sales, writers], update: () => writers });
    const { user, save, service, dialog } = await openDialog('Writers', answers);
    expect(screen.getByText('A group gives its users READ, WRITE or DELETE on its kapsules.')).toBeTruthy();
    expect(dialog.getByText(/WRITE also saves and imports them/)).toBeTruthy();
    const [read, write, remove] = [field('READ'), field('WRITE'), field('DELETE')];
    const shown = () => [read, write, remove].map((box) => `${box.checked} ${box.disabled}`);
    expect(shown()).toEqual(['true true', 'true false', 'false false']);
    await user.click(remove);
    expect(shown()).toEqual(['true true', 'true true', 'true false']);
    await user.click(remove);
    await user.click(write);
    expect(shown()).toEqual(['true false', 'false false', 'false false']);
    await user.click(remove);
    expect(shown()).toEqual(['true true', 'true true', 'true false']);
    await user.click(remove);
    await user.click(write);
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('groups.update')[0]?.body).toMatchObject({ authority: ['READ', 'WRITE'] });
  });

  test('does not offer WRITE to a service that does not know it', async () => {
    await openDialog(undefined, serviceWith());
    expect(screen.getByText('A group gives its users READ or DELETE on its kapsules.')).toBeTruthy();
    expect(screen.queryByLabelText('WRITE')).toBeNull();
  });

  test('refuses a name that is taken before the save, in any spelling, or after it; only logs another refusal, and calls no new group deleted', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let list = [sales];
    let create = () => refuse('CONFLICT', taken);
    const { dialog, save, service } = await openDialog(
      undefined,
      serviceWith({ list: () => list, create: () => create() }),
    );
    const saved = async (calls: number) => {
      await save();
      await waitFor(() => expect(service.callsOf('groups.create')).toHaveLength(calls));
      await waitFor(() => expect(document.querySelector('.ant-btn-loading')).toBeNull());
    };
    enter(field('Group name'), 'South');
    await saved(1);
    await waitFor(() => expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: taken })));
    expect(notices()).toEqual([]);
    expect(field('Group name').value).toBe('South');

    // Behind a proxy there is no service.
    create = () => refuse('NOT_FOUND', 'No such address.');
    await saved(2);
    await waitFor(() =>
      expect(logged).toHaveBeenCalledWith(expect.objectContaining({ message: 'No such address.' })),
    );
    expect(screen.queryByText(/Another user has deleted this group/)).toBeNull();

    enter(field('Group name'), ' sALES ');
    await save();
    expect(await dialog.findByText(taken)).toBeTruthy();
    expect(service.callsOf('groups.create')).toHaveLength(2);

    // Another user takes the name meanwhile.
    create = () => {
      list = [sales, { ...sales, _id: 'g-2', groupname: 'North' }];
      return refuse('CONFLICT', taken);
    };
    enter(field('Group name'), 'North');
    await waitFor(() => expect(dialog.queryByText(taken)).toBeNull());
    await saved(3);
    expect(await dialog.findByText(taken)).toBeTruthy();
  });

  test('asks who the ADMIN is where the service wants to know; Cancel keeps what is entered and is only logged', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isProven = false;
    const needed = () => refuse('PROOF_NEEDED', 'Please confirm that it is you.', { methods: ['password'] });
    const prove = () => {
      isProven = true;
      return { status: 'success' as const };
    };
    const { user, save, service } = await openDialog(undefined, {
      ...serviceWith({ create: () => (isProven ? sales : needed()) }),
      secondFactor: { prove },
    });
    enter(field('Group name'), 'South');
    await save();
    const question = async () =>
      within((await screen.findByText('Confirm that it is you')).closest('[role=dialog]') as HTMLElement);
    await user.click((await question()).getByText('Cancel'));
    await waitFor(() => expect(logged).toHaveBeenCalled());
    await waitFor(() => expect(screen.queryByText('Confirm that it is you')).toBeNull());
    expect([notices(), field('Group name').value]).toEqual([[], 'South']);
    await save();
    enter((await question()).getByLabelText('Password'), 'my own');
    await user.click((await question()).getByText('Confirm'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('groups.create')).toHaveLength(3);
  });

  test('tells that the group has changed meanwhile, and overwrites nothing, or that it is deleted; the empty list offers the first one', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let groups = [sales];
    const { user, save, service, dialog } = await openDialog(
      'Sales',
      serviceWith({
        list: () => groups,
        update: () => {
          const isGone = service.callsOf('groups.update').length === 3;
          groups = isGone ? [] : [{ ...sales, version: 8 }];
          return isGone
            ? refuse('NOT_FOUND', 'There is no such group.')
            : refuse('STALE', 'This was changed meanwhile.');
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
    await waitFor(() => expect(document.querySelector('.ant-btn-loading')).toBeNull());
    await save();
    expect(await screen.findByText(/Another user has deleted this group meanwhile/)).toBeTruthy();
    await user.click(dialog.getByText('Cancel'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(screen.queryByText('Retry')).toBeNull();
    await user.click(await screen.findByText('Create the first group'));
    expect(await screen.findByRole('dialog')).toBeTruthy();
  });
});
