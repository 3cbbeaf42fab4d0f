import type { AuditEntry } from '@kaptain/contract/audit';
import { SessionUser } from '@kaptain/contract/session';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { notices } from '../../testing/notices.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { people, serviceWith, userOf } from './users-fixture.ts';

const berta = SessionUser.parse({ userId: 'u-berta', username: 'berta', role: 'ADMIN' });
const open = (answers = serviceWith(), as = adminUser) => renderScreen('/system/users', { as, answers });

const login: AuditEntry = {
  _id: 'e-1',
  at: '2026-03-04T05:06:07Z',
  actorId: 'u-jane',
  actor: 'jane',
  ip: '10.0.0.7',
  action: 'session.login',
  target: null,
  targetName: null,
  result: 'ok',
  requestId: 'r-1',
  before: null,
  after: null,
};
const action = (label: string) => screen.findByLabelText(label);
const isBlocked = (button: HTMLElement) => button.getAttribute('aria-disabled') === 'true';
const cellsOf = async (name: string) => {
  const row = (await screen.findByText(name, { selector: 'strong' })).closest('tr');
  return Array.from(row?.cells ?? [], ({ textContent }) => textContent).slice(1, 5);
};

describe('the users page', () => {
  test('is an empty list, silently, when it cannot be loaded; tried again it shows id, name, role and status of everyone, copies ids, and is searched by name', async () => {
    let isBroken = true;
    const { user } = open({
      ...serviceWith({ list: () => (isBroken ? refuse('INTERNAL', 'Broken inside.') : { data: people }) }),
      audit: { list: () => ({ data: [login], next: null }) },
    });
    await screen.findByText('No users to show');
    expect(notices()).toEqual([]);
    isBroken = false;
    await user.click(screen.getByText('Retry'));
    expect(await cellsOf('jane')).toEqual(['u-jane', 'jane', 'USER', 'Active']);
    expect(await cellsOf('Leo')).toEqual(['u-Leo', 'Leo', 'USER', 'Locked']);
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers.slice(1)).toEqual(['User ID', 'User Name', 'Role', 'Status', 'Actions']);

    await user.click(await action('Copy u-jane'));
    expect(await screen.findByText('Copy successfully!')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('u-jane');

    const jane = screen.getByText('jane', { selector: 'strong' }).closest('tr') as HTMLElement;
    await user.click(within(jane).getByLabelText('Show details of jane'));
    expect(location.search).toBe('?open=u-jane');
    const facts = await waitFor(() => {
      const texts = Array.from(document.querySelectorAll('dl > div'), ({ textContent }) => textContent);
      expect(texts).toHaveLength(4);
      expect(texts[1]).not.toContain('…');
      return texts;
    });
    expect(facts).toEqual([
      'User IDu-jane',
      'Last sign-in2026-03-04 05:06:07 from 10.0.0.7',
      'GroupsSales',
      'Qlik User IDCORP\\jane',
    ]);

    await user.hover(screen.getByText('Locked'));
    expect(await screen.findByText(/^Locked until 2099-03-04 05:06:07 /)).toBeTruthy();

    enter(screen.getByLabelText('Search by user name'), 'LEO');
    await waitFor(() => expect(screen.getByText('1 of 4 users')).toBeTruthy());
    expect(new URLSearchParams(location.search).get('q')).toBe('LEO');
    expect(screen.queryByText('jane', { selector: 'strong' })).toBeNull();
  });
});

describe('the actions on a user', () => {
  test('delete after a question in the words of the specification, which warns before the owner of kapsules is deleted and gives them to a new owner; Cancel keeps the user', async () => {
    const kapsules = {
      list: () => [
        { _id: 'k-1', name: 'Orders', owner: 'jane', ownerId: 'u-jane' },
        { _id: 'k-2', name: 'Budget', owner: 'jane', ownerId: 'u-jane' },
        // Of a deleted user with the same name.
        { _id: 'k-3', name: 'Old', owner: 'jane', ownerId: 'u-gone' },
      ],
    };
    let list = people;
    const { user, service } = open({
      ...serviceWith({
        list: () => ({ data: list }),
        remove: ({ params }) => {
          list = list.filter(({ userId }) => userId !== params.id);
          return { status: 'success' };
        },
      }),
      kapsules,
    });
    await user.click(await action('Delete jane'));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete jane?' });
    const cancel = within(dialog).getByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(document.activeElement).toBe(cancel));
    await user.click(cancel);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('users.remove')).toEqual([]);

    await user.click(await action('Delete jane'));
    expect(
      await screen.findByText(
        'jane owns 2 kapsules: Orders, Budget. Without a new owner, only ADMINs and groups reach them.',
      ),
    ).toBeTruthy();
    await user.click(screen.getByLabelText('New owner'));
    expect(
      Array.from(document.querySelectorAll('.ant-select-item-option-content'), (it) => it.textContent),
    ).toEqual(['admin', 'berta', 'Leo']);
    await user.click(screen.getByText('berta', { selector: '.ant-select-item-option-content' }));
    await user.click(screen.getByText('Yes'));
    await waitFor(() => expect(screen.queryByText('u-jane')).toBeNull());
    expect(screen.getByText('3 users')).toBeTruthy();
    expect(service.callsOf('users.remove').map(({ url }) => url)).toEqual([
      expect.stringMatching(/\/api\/user\/u-jane\?newOwner=u-berta$/),
    ]);
  });

  test('are blocked where a rule forbids them, and say why, as they do when the service refuses; without an audit trail none leads there', async () => {
    const remove = () => refuse('PROTECTED', 'The last ADMIN has to stay.');
    const { audit: _, ...answers } = serviceWith({ remove });
    const { user } = open(answers, berta);
    const button = await action('Delete admin');
    await waitFor(() => expect(screen.queryByLabelText('Audit entries of jane')).toBeNull());
    expect(isBlocked(button)).toBe(true);
    await user.click(button);
    expect(screen.queryByRole('dialog')).toBeNull();
    await user.hover(button);
    expect((await screen.findByRole('tooltip')).textContent).toBe('admin can’t be deleted.');
    expect(screen.queryByLabelText('Unlock Leo')).toBeNull();

    // The service refuses what the console can't know.
    await user.click(await action('Delete jane'));
    await user.click(await screen.findByText('Yes'));
    expect(await screen.findByText('The last ADMIN has to stay.')).toBeTruthy();
  });

  test('unlock a locked user after a question, and lead to the audit entries', async () => {
    let isLocked = true;
    const { user, service } = open(
      serviceWith({
        list: () => ({ data: [userOf('admin', { role: 'ADMIN' }), userOf('Leo', { isLocked })] }),
        unlock: () => {
          isLocked = false;
          return { status: 'success' };
        },
      }),
    );
    await user.click(await action('Unlock Leo'));
    expect(screen.queryByLabelText('Unlock admin')).toBeNull();
    await screen.findByRole('dialog', { name: 'Are you sure to unlock Leo?' });
    expect(service.callsOf('users.unlock')).toEqual([]);
    await user.click(screen.getByText('Yes'));
    await waitFor(() => expect(screen.queryByText('Locked')).toBeNull());
    expect(service.callsOf('users.unlock')[0]?.url).toMatch(/\/api\/user\/unlock\/u-Leo$/);

    await user.click(await action('Audit entries of Leo'));
    expect(location.pathname + location.search).toBe('/system/audit?target=user%3Au-Leo');
  });
});
