import { SessionUser } from '@kaptain/contract/session';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { serviceWith } from './users-fixture.ts';

// Working out what is hidden takes most of the time in jsdom, and the browser tests know better.
configure({ defaultHidden: true });

const berta = SessionUser.parse({ userId: 'u-berta', username: 'berta', role: 'ADMIN' });
const saved = () => ({ status: 'success' });

async function openDialog(name: string | undefined, answers: Answers, as = adminUser) {
  const rendered = renderScreen('/system/users', { as, answers });
  const opener = name ? screen.findByLabelText(`Edit ${name}`) : screen.findByText('Create User');
  await rendered.user.click(await opener);
  const dialog = await screen.findByRole('dialog');
  return { ...rendered, dialog, save: () => rendered.user.click(within(dialog).getByText('Save')) };
}
const add = (users: Answers['users'] = { create: saved }) => openDialog(undefined, serviceWith(users));
const edit = (name: string, users: Answers['users'] = { update: saved }, as = adminUser) =>
  openDialog(name, serviceWith(users), as);

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label, { selector: 'input' });
const role = (name: 'ADMIN' | 'USER') => field(name);
const canCreate = () => field('Can Create Kapsule');

describe('adding a user', () => {
  test('begins in the first field of a form called Add User', async () => {
    const { dialog } = await add();
    expect(within(dialog).getByText('Add User')).toBeTruthy();
    await waitFor(() => expect(document.activeElement).toBe(field('User Name')));
    expect(canCreate().checked).toBe(true);
  });

  test('is aborted silently by missing values, which their fields name', async () => {
    const { save, service } = await add();
    await save();
    for (const text of [
      'Please input your user name!',
      'Password is required!',
      'Role is required!',
      'Qlik User ID is required!',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    expect(document.querySelector('.ant-message-notice')).toBeNull();
    expect(service.callsOf('users.create')).toEqual([]);
  });

  test('asks for 8 characters of password', async () => {
    const { user, save } = await add();
    await user.type(field('Password'), '1234567');
    await save();
    expect(await screen.findByText('Please use at least 8 characters as password!')).toBeTruthy();
  });

  test('shows and reloads the groups whenever USER is chosen', async () => {
    const { user, service } = await add();
    expect(screen.queryByLabelText('Group')).toBeNull();
    expect(service.callsOf('groups.list')).toHaveLength(0);
    await user.click(role('USER'));
    expect(await screen.findByLabelText('Group')).toBeTruthy();
    await waitFor(() => expect(service.callsOf('groups.list')).toHaveLength(1));
    await user.click(role('ADMIN'));
    expect(screen.queryByLabelText('Group')).toBeNull();
    await user.click(role('USER'));
    await waitFor(() => expect(service.callsOf('groups.list')).toHaveLength(2));
  });

  test('forces and disables Can Create for ADMIN, and remembers the choice for USER', async () => {
    const { user } = await add();
    await user.click(role('USER'));
    await user.click(canCreate());
    await user.click(role('ADMIN'));
    expect([canCreate().checked, canCreate().disabled]).toEqual([true, true]);
    await user.click(role('USER'));
    expect([canCreate().checked, canCreate().disabled]).toEqual([false, false]);
  });

  test('sends a USER with groups as id and groupname, once, by Enter', async () => {
    const answer = Promise.withResolvers<{ status: string }>();
    const { user, service } = await add({ create: () => answer.promise });
    await user.click(role('USER'));
    await user.click(await screen.findByLabelText('Group'));
    await user.click(await screen.findByText('Finance'));
    await user.type(field('Password'), 'long enough');
    await user.type(field('Qlik User ID'), 'CORP\\nina');
    await user.type(field('User Name'), 'nina{Enter}');
    await waitFor(() => expect(service.callsOf('users.create')).toHaveLength(1));
    await user.type(field('User Name'), '{Enter}');
    answer.resolve({ status: 'success' });
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('users.create').map(({ body }) => body)).toEqual([
      {
        username: 'nina',
        password: 'long enough',
        role: 'USER',
        groups: [{ id: 'g-2', groupname: 'Finance' }],
        qlikId: 'CORP\\nina',
        isCreate: true,
      },
    ]);
  });

  test('keeps everything entered when the service refuses, and says why', async () => {
    const taken = () => refuse('CONFLICT', 'A user with this name exists already.');
    const { user, save, dialog } = await add({ create: taken });
    await user.click(role('ADMIN'));
    await user.type(field('User Name'), 'nina');
    await user.type(field('Password'), 'long enough');
    await user.type(field('Qlik User ID'), 'CORP\\nina');
    await save();
    expect((await within(dialog).findByRole('alert')).textContent).toBe(
      'A user with this name exists already.',
    );
    expect(field('User Name').value).toBe('nina');
  });

  test('is left by Escape, but not without asking once something is entered', async () => {
    const { user } = await add();
    await user.type(field('User Name'), 'n{Escape}');
    expect(await screen.findAllByText('Discard what you have entered?')).not.toEqual([]);
    await user.click(screen.getByText('Discard'));
    await waitFor(() => expect(screen.queryByText('Add User')).toBeNull());
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Create User'));
  });

  test('speaks the words of the alternative variant', async () => {
    const { user } = renderScreen('/system/users', {
      as: adminUser,
      answers: serviceWith(),
      variant: 'alternative',
    });
    await user.click(await screen.findByText('Create User'));
    expect(await screen.findByLabelText('Can Create Data source')).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/kapsule/i);
  });
});

describe('updating a user', () => {
  test('fixes the name and sends an empty password as absent', async () => {
    const { service, save, dialog } = await edit('jane');
    expect(within(dialog).getByText('Update User')).toBeTruthy();
    expect([field('User Name').value, field('User Name').disabled]).toEqual(['jane', true]);
    expect(canCreate().checked).toBe(false);
    await save();
    await waitFor(() => expect(service.callsOf('users.update')).toHaveLength(1));
    expect(service.callsOf('users.update')[0]?.body).toEqual({
      userId: 'u-jane',
      role: 'USER',
      groups: [{ id: 'g-1', groupname: 'Sales' }],
      qlikId: 'CORP\\jane',
      isCreate: false,
    });
  });

  test('sends a new password', async () => {
    const { user, service, save } = await edit('jane');
    await user.type(field('Password'), 'another one');
    await save();
    await waitFor(() =>
      expect(service.callsOf('users.update')[0]?.body).toMatchObject({ password: 'another one' }),
    );
  });

  test('to ADMIN forces Can Create and leaves the groups', async () => {
    const { user, service, save } = await edit('jane');
    await user.click(role('ADMIN'));
    await save();
    await waitFor(() =>
      expect(service.callsOf('users.update')[0]?.body).toMatchObject({
        role: 'ADMIN',
        groups: [],
        isCreate: true,
      }),
    );
  });

  test('keeps the groups of the user even when the list of groups cannot be loaded', async () => {
    const answers = {
      ...serviceWith({ update: saved }),
      groups: { list: () => refuse('INTERNAL', 'Broken.') },
    };
    const { service, save } = await openDialog('jane', answers);
    expect(await screen.findByTitle('Sales')).toBeTruthy();
    await save();
    await waitFor(() =>
      expect(service.callsOf('users.update')[0]?.body).toMatchObject({
        groups: [{ id: 'g-1', groupname: 'Sales' }],
      }),
    );
  });

  test('leaves role and password of admin to admin, and says why', async () => {
    await edit('admin', {}, berta);
    expect(role('USER').disabled).toBe(true);
    expect(field('Password').disabled).toBe(true);
    expect(screen.getByText('admin has to stay an ADMIN.')).toBeTruthy();
    expect(screen.getByText('Only admin can change this password.')).toBeTruthy();
  });

  test('lets admin change its own password, but not its role', async () => {
    await edit('admin');
    expect(field('Password').disabled).toBe(false);
    expect(role('USER').disabled).toBe(true);
  });
});
