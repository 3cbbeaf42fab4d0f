import { SessionUser } from '@kaptain/contract/session';
import { configure, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Answers } from '../../testing/fake-service.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { people, serviceWith, userOf } from './users-fixture.ts';

// Working out what is hidden takes most of the time in jsdom, and the browser tests know better.
configure({ defaultHidden: true });

const berta = SessionUser.parse({ userId: 'u-berta', username: 'berta', role: 'ADMIN' });
const open = (answers: Answers = serviceWith(), as = adminUser, path = '/system/users') =>
  renderScreen(path, { as, answers });

const rowOf = async (name: string) => {
  const table = await screen.findByRole('table', { name: 'Users' });
  const row = within(table)
    .getAllByRole('row')
    .find((candidate) => within(candidate).queryByText(name) !== null);
  if (!row) throw new Error(`There is no row of ${name}.`);
  return row;
};
const action = (label: string) => screen.findByLabelText(label);
const isBlocked = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';

describe('the users page', () => {
  test('shows id, name, role and status of everyone', async () => {
    open();
    const headers = (await screen.findAllByRole('columnheader')).map(({ textContent }) => textContent);
    expect(headers).toEqual(['User ID', 'User Name', 'Role', 'Status', 'Actions']);
    const texts = async (name: string) =>
      within(await rowOf(name))
        .getAllByRole('cell')
        .slice(0, 4)
        .map(({ textContent }) => textContent);
    expect(await texts('jane')).toEqual(['u-jane', 'jane', 'USER', 'Active']);
    expect(await texts('Leo')).toEqual(['u-Leo', 'Leo', 'USER', 'Locked']);
  });

  test('copies an id', async () => {
    const { user } = open();
    await user.click(await action('Copy u-jane'));
    expect(await screen.findByText('Copy successfully!')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('u-jane');
  });

  test('tells until when an account is locked', async () => {
    const { user } = open();
    await user.hover(await screen.findByText('Locked'));
    expect((await screen.findByRole('tooltip')).textContent).toBe(
      'Locked until 2099-03-04 05:06:07 after too many wrong passwords',
    );
  });

  test('is searched by user name in any case, and the URL keeps it', async () => {
    const { user } = open();
    await user.type(await screen.findByRole('searchbox', { name: 'Search by user name' }), 'LEO');
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe('1 of 4 users'));
    expect(location.search).toBe('?q=LEO');
    expect(screen.queryByText('jane')).toBeNull();
  });

  test('is an empty list, silently, when it cannot be loaded, and can be tried again', async () => {
    let isBroken = true;
    const { user } = open(
      serviceWith({ list: () => (isBroken ? refuse('INTERNAL', 'Broken inside.') : { data: people }) }),
    );
    await screen.findByRole('heading', { name: 'No users to show' });
    expect(screen.queryByText('Broken inside.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    isBroken = false;
    await user.click(screen.getByText('Retry'));
    expect(await rowOf('jane')).toBeTruthy();
  });

  test('is not there for a USER', async () => {
    open(serviceWith(), plainUser);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });

  test('leads to the audit entries of a user, when the service has them', async () => {
    const { user } = open();
    await user.click(await action('Audit entries of jane'));
    expect(location.pathname + location.search).toBe('/system/audit?target=user%3Au-jane');
  });

  test('does not lead to an audit trail the service does not have', async () => {
    const { audit: _, ...answers } = serviceWith();
    open(answers);
    await rowOf('jane');
    await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Audit' })).toBeNull());
    expect(screen.queryByLabelText('Audit entries of jane')).toBeNull();
  });
});

describe('deleting a user', () => {
  test('asks in the words of the specification; Cancel keeps the user', async () => {
    const { user, service } = open();
    await user.click(await action('Delete jane'));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete jane?' });
    const cancel = within(dialog).getByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    await user.click(cancel);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('users.remove')).toEqual([]);
  });

  test('deletes after Yes and reloads the list', async () => {
    let list = people;
    const answers = serviceWith({
      list: () => ({ data: list }),
      remove: ({ params }) => {
        list = list.filter(({ userId }) => userId !== params.id);
        return { status: 'success' };
      },
    });
    const { user } = open(answers);
    await user.click(await action('Delete jane'));
    await user.click(await screen.findByText('Yes'));
    await waitFor(() => expect(screen.queryByText('u-jane')).toBeNull());
    expect(screen.getByRole('status').textContent).toBe('3 users');
  });

  test('says why the service refused', async () => {
    const { user } = open(serviceWith({ remove: () => refuse('PROTECTED', 'The last ADMIN has to stay.') }));
    await user.click(await action('Delete berta'));
    await user.click(await screen.findByText('Yes'));
    expect(await screen.findByText('The last ADMIN has to stay.')).toBeTruthy();
  });

  test.each([
    ['of oneself', berta, people, 'Delete berta', 'You can’t delete your own account.'],
    ['of admin', berta, people, 'Delete admin', 'admin can’t be deleted.'],
    [
      'of the last ADMIN',
      SessionUser.parse({ userId: 'u-x', username: 'x', role: 'ADMIN' }),
      [userOf('berta', { role: 'ADMIN' }), userOf('jane')],
      'Delete berta',
      'The last ADMIN has to stay.',
    ],
  ])('%s is not possible, and the tooltip says why', async (_, as, list, label, reason) => {
    const { user } = open(serviceWith({}, list), as);
    const button = await action(label);
    expect(isBlocked(button)).toBe(true);
    await user.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe(reason);
    expect(isBlocked(await action('Delete jane'))).toBe(false);
  });
});

describe('unlocking a user', () => {
  test('is offered to admin on locked rows only, and asks first', async () => {
    let isLocked = true;
    const answers = serviceWith({
      list: () => ({ data: [userOf('admin', { role: 'ADMIN' }), userOf('Leo', { isLocked })] }),
      unlock: () => {
        isLocked = false;
        return { status: 'success' };
      },
    });
    const { user, service } = open(answers);
    await rowOf('Leo');
    expect(screen.queryByLabelText('Unlock admin')).toBeNull();
    await user.click(await action('Unlock Leo'));
    await screen.findByRole('dialog', { name: 'Are you sure to unlock Leo?' });
    await user.click(screen.getByText('Yes'));
    await waitFor(() => expect(screen.queryByText('Locked')).toBeNull());
    expect(service.callsOf('users.unlock')[0]?.url).toMatch(/\/api\/user\/unlock\/u-Leo$/);
  });

  test('is not offered to another ADMIN', async () => {
    open(serviceWith(), berta);
    await rowOf('Leo');
    expect(screen.queryByLabelText('Unlock Leo')).toBeNull();
  });
});
