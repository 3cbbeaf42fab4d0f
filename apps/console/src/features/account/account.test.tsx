import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';

const session = (id: string, current: boolean) => ({
  _id: id,
  createdAt: '2026-03-04T05:06:07Z',
  lastSeenAt: '2026-03-05T06:07:08Z',
  expiresAt: '2026-03-06T00:00:00Z',
  ip: '10.0.0.7',
  userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  current,
});
const both = [session('s-1', true), session('s-2', false)];
const serviceWith = (account: Answers['account'] = {}): Answers => ({
  kapsules: { list: () => [] },
  groups: { findByUser: () => [{ _id: 'g-1', groupname: 'Sales' }] },
  account: { sessions: () => both, ...account },
});
const open = (answers = serviceWith(), path = '/account', isMenuOpen = false) =>
  renderScreen(path, { as: plainUser, answers, isMenuOpen });

describe('my account', () => {
  test('is reached through the avatar menu, shows who one is and where one is logged in, has no second factor where the service has none, and ends the other sessions', async () => {
    let sessions = both;
    const { user } = open(
      serviceWith({
        sessions: () => sessions,
        endOtherSessions: () => {
          sessions = sessions.filter(({ current }) => current);
          return { ended: 1 };
        },
      }),
      '/about',
    );
    await user.click(await screen.findByLabelText('Account: jane'));
    await user.click(await screen.findByText('My account'));
    const card = within(await screen.findByRole('region', { name: 'About you' }));
    for (const text of ['jane', 'u-jane', 'USER']) expect(card.getByText(text)).toBeTruthy();
    expect(await card.findByText('Sales')).toBeTruthy();
    await waitFor(() => expect(document.getElementById('own-factor')).toBeNull());

    const table = await screen.findByRole<HTMLTableElement>('table', { name: 'Where you are logged in' });
    const rows = () =>
      Array.from(table.querySelectorAll<HTMLTableRowElement>('tr[data-row-key]'), ({ cells }) =>
        Array.from(cells, ({ textContent }) => textContent?.trim()),
      );
    const rest = ['10.0.0.7 (local network)', '2026-03-04 05:06:07', '2026-03-05 06:07:08', ''];
    await waitFor(() =>
      expect(rows()).toEqual([
        ['Firefox on Windows This session', ...rest],
        ['Firefox on Windows', ...rest],
      ]),
    );
    const button = screen.getByText('Sign out elsewhere').closest('button');
    await user.click(screen.getByText('Sign out elsewhere'));
    await user.click(await screen.findByText('Yes'));
    await waitFor(() => expect(rows()).toHaveLength(1));
    expect(button?.disabled).toBe(true);
    expect(
      screen.getByLabelText('End session: Firefox on Windows, 10.0.0.7').getAttribute('aria-disabled'),
    ).toBe('true');
  });

  test('changes the password after checking it in the words of the specification, says why it is refused, and asks before a half-filled change is left, but not after it is stored', async () => {
    let isWrong = true;
    const wrong = 'The current password is not right.';
    const { user, service } = open(
      serviceWith({
        changePassword: () => (isWrong ? refuse('WRONG_PASSWORD', wrong) : { status: 'success' }),
      }),
      '/account',
      true,
    );
    const away = () => user.click(screen.getByText('Kapsules', { selector: 'nav *' }));
    const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
    const submit = () => user.click(screen.getByText('Change password', { selector: 'button span' }));
    enter(await screen.findByLabelText('New password'), 'short');
    await away();
    await user.click(await screen.findByText('Keep editing'));
    expect(location.pathname).toBe('/account');
    await submit();
    for (const text of [
      'Please input your Password!',
      'Please use at least 8 characters as password!',
      'Please input your Password again!',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    enter(field('New password again'), 'other');
    expect(await screen.findByText('The two passwords that you entered do not match!')).toBeTruthy();
    expect(service.callsOf('account.changePassword')).toEqual([]);

    enter(field('Current password'), 'the old one');
    enter(field('New password'), 'the new one');
    enter(field('New password again'), 'the new one');
    await submit();
    expect(await screen.findByText(wrong)).toBeTruthy();
    expect(location.pathname).toBe('/account');
    isWrong = false;
    await user.type(field('New password again'), '{Enter}');
    expect(await screen.findByText('Your password is changed. All other sessions are ended.')).toBeTruthy();
    expect(service.callsOf('account.changePassword')[1]?.body).toEqual({
      currentPassword: 'the old one',
      newPassword: 'the new one',
    });
    await waitFor(() => expect(field('Current password').value).toBe(''));
    await away();
    await waitFor(() => expect(location.pathname).toBe('/data/kapsules'));
    expect(screen.queryByText('Discard')).toBeNull();
  });

  test('does not exist for a service that does not know it', async () => {
    const unknown = () => Response.json({ message: 'Unknown.' }, { status: 501 });
    const { user } = open(serviceWith({ sessions: unknown }));
    expect(await screen.findByText('Page not found')).toBeTruthy();
    await user.click(screen.getByLabelText('Account: jane'));
    await screen.findByText('Logout');
    expect(screen.queryByText('My account')).toBeNull();
  });

  test('stays when the sessions cannot be loaded just now', async () => {
    open(serviceWith({ sessions: () => refuse('UNAVAILABLE', 'The database sleeps.') }));
    expect(await screen.findByText('The database sleeps.')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'My account' })).toBeTruthy();
  });
});
