import { SessionUser } from '@kaptain/contract/session';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { nina, serviceWith } from './users-fixture.ts';

const berta = SessionUser.parse({ userId: 'u-berta', username: 'berta', role: 'ADMIN' });

function open(answers: Answers, as = adminUser, variant: 'default' | 'alternative' = 'default') {
  const rendered = renderScreen('/system/users', { as, answers, variant });
  const dialog = async () => within(await screen.findByRole('dialog'));
  return {
    ...rendered,
    dialog,
    add: async () => {
      await rendered.user.click(await screen.findByText('Create User'));
      // The dialog focuses its first field when it has opened; until then it would take the focus away again.
      await waitFor(() => expect(document.activeElement).toBe(field('User Name')));
    },
    edit: async (name: string) => rendered.user.click(await screen.findByLabelText(`Edit ${name}`)),
    save: async () => rendered.user.click((await dialog()).getByText('Save')),
  };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const role = (name: 'ADMIN' | 'USER') => field(name);
const canCreate = () => field('Can Create Kapsule');
const closed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

describe('adding a user', () => {
  test('begins in the first field, names missing or wrong values silently, reloads the groups for USER, forces Can Create for ADMIN, and sends the user once, by Enter', async () => {
    const answer = Promise.withResolvers<{ status: string }>();
    let isTaken = true;
    const create = () =>
      isTaken ? refuse('CONFLICT', 'A user with this name exists already.') : answer.promise;
    const { user, service, add, dialog, save } = open(serviceWith({ create }));
    await add();
    expect((await dialog()).getByText('Add User')).toBeTruthy();
    expect(canCreate().checked).toBe(true);
    await save();
    for (const text of [
      'Please input your user name!',
      'Password is required!',
      'Role is required!',
      'Qlik User ID is required!',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    enter(field('Password'), '1234567');
    expect(await screen.findByText('Please use at least 8 characters as password!')).toBeTruthy();
    expect(document.querySelector('.ant-message-notice')).toBeNull();
    expect(service.callsOf('users.create')).toEqual([]);

    expect(screen.queryByLabelText('Group')).toBeNull();
    expect(service.callsOf('groups.list')).toHaveLength(0);
    await user.click(role('USER'));
    expect(await screen.findByLabelText('Group')).toBeTruthy();
    await waitFor(() => expect(service.callsOf('groups.list')).toHaveLength(1));
    await user.click(canCreate());
    await user.click(role('ADMIN'));
    expect([canCreate().checked, canCreate().disabled]).toEqual([true, true]);
    expect(screen.queryByLabelText('Group')).toBeNull();
    await user.click(role('USER'));
    await waitFor(() => expect(service.callsOf('groups.list')).toHaveLength(2));
    expect([canCreate().checked, canCreate().disabled]).toEqual([false, false]);

    await user.click(screen.getByLabelText('Group'));
    await user.click(await screen.findByText('Finance'));
    enter(field('Password'), nina.password);
    enter(field('Qlik User ID'), nina.qlikId);
    enter(field('User Name'), nina.username);
    await save();
    expect((await (await dialog()).findByRole('alert')).textContent).toBe(
      'A user with this name exists already.',
    );
    expect(field('User Name').value).toBe(nina.username);

    isTaken = false;
    await user.type(field('User Name'), '{Enter}');
    await waitFor(() => expect(service.callsOf('users.create')).toHaveLength(2));
    await user.type(field('User Name'), '{Enter}');
    answer.resolve({ status: 'success' });
    await closed();
    expect(service.callsOf('users.create')).toHaveLength(2);
    expect(service.callsOf('users.create')[1]?.body).toEqual(nina);
  });

  test('asks who the ADMIN is where the service wants to know, keeps what is entered when they cancel, and goes on when they confirm', async () => {
    let isProven = false;
    const { user, service, add, save } = open({
      ...serviceWith({
        create: () =>
          isProven
            ? { status: 'success' }
            : refuse('PROOF_NEEDED', 'Please confirm that it is you.', { methods: ['password'] }),
      }),
      secondFactor: {
        prove: () => {
          isProven = true;
          return { status: 'success' };
        },
      },
    });
    await add();
    await user.click(role('ADMIN'));
    for (const [label, value] of [
      ['Password', nina.password],
      ['Qlik User ID', nina.qlikId],
      ['User Name', nina.username],
    ] as const)
      enter(field(label), value);
    await save();
    const question = async () =>
      within((await screen.findByText('Confirm that it is you')).closest('[role=dialog]') as HTMLElement);
    await user.click((await question()).getByText('Cancel'));
    expect(await screen.findByText('Please confirm that it is you.')).toBeTruthy();
    await waitFor(() => expect(screen.queryByText('Confirm that it is you')).toBeNull());
    expect([field('User Name').value, field('Password').value]).toEqual([nina.username, nina.password]);

    await user.type(field('User Name'), '{Enter}');
    enter((await question()).getByLabelText('Password'), 'my own');
    await user.click((await question()).getByText('Confirm'));
    await closed();
    const [, ...sent] = service.callsOf('users.create').map(({ body }) => body);
    const admin = { ...nina, role: 'ADMIN', groups: [], isCreate: true };
    expect(sent).toEqual([admin, admin]);
    expect(service.callsOf('secondFactor.prove').map(({ body }) => body)).toEqual([{ password: 'my own' }]);
  });

  test('speaks the words of the variant, and asks before Escape discards what is entered', async () => {
    const { user, add } = open(serviceWith(), adminUser, 'alternative');
    await add();
    expect(await screen.findByLabelText('Can Create Data source')).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/kapsule/i);
    await user.type(field('User Name'), 'n{Escape}');
    expect(await screen.findAllByText('Discard what you have entered?')).not.toEqual([]);
    await user.click(screen.getByText('Discard'));
    await waitFor(() => expect(screen.queryByText('Add User')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Create User'));
  });
});

describe('updating a user', () => {
  test('fixes the name, keeps the groups although their list is missing, and fixes what only admin changes', async () => {
    const answers = {
      ...serviceWith({ update: () => ({ status: 'success' }) }),
      groups: { list: () => refuse('INTERNAL', 'Broken.') },
    };
    const { service, edit, save, dialog } = open(answers, berta);
    await edit('jane');
    expect((await dialog()).getByText('Update User')).toBeTruthy();
    expect([field('User Name').value, field('User Name').disabled]).toEqual(['jane', true]);
    expect(await screen.findByTitle('Sales')).toBeTruthy();
    await save();
    await closed();
    expect(service.callsOf('users.update').map(({ body }) => body)).toEqual([
      {
        userId: 'u-jane',
        role: 'USER',
        groups: [{ id: 'g-1', groupname: 'Sales' }],
        qlikId: 'CORP\\jane',
        isCreate: false,
      },
    ]);

    await edit('admin');
    expect(await screen.findByText('admin has to stay an ADMIN.')).toBeTruthy();
    expect(screen.getByText('Only admin can change this password.')).toBeTruthy();
    expect([role('USER').disabled, field('Password').disabled]).toEqual([true, true]);
  });
});
