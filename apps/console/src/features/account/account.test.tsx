import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { deviceOf } from './device-of.ts';

const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const session = (id: string, current: boolean) => ({
  _id: id,
  createdAt: '2026-03-04T05:06:07Z',
  lastSeenAt: '2026-03-05T06:07:08Z',
  expiresAt: '2026-03-06T00:00:00Z',
  ip: '10.0.0.7',
  userAgent: windows,
  current,
});
const serviceWith = (account: Answers['account'] = {}): Answers => ({
  kapsules: { list: () => [] },
  groups: { findByUser: () => [{ _id: 'g-1', groupname: 'Sales' }] },
  account: { sessions: () => [session('s-1', true), session('s-2', false)], ...account },
});
const open = (answers = serviceWith(), path = '/account') => renderScreen(path, { as: plainUser, answers });
const field = (label: string) => screen.findByLabelText(label);
const submit = () => screen.getByText('Change password', { selector: 'button span' });

describe('my account', () => {
  test('is reached through the avatar menu and shows who one is', async () => {
    const { user } = open(serviceWith(), '/about');
    await user.click(await screen.findByLabelText('Account: jane'));
    await user.click(await screen.findByText('My account'));
    await screen.findByRole('heading', { name: 'My account' });
    const card = screen.getByRole('region', { name: 'About you' });
    for (const text of ['jane', 'u-jane', 'USER']) expect(within(card).getByText(text)).toBeTruthy();
    expect(await within(card).findByText('Sales')).toBeTruthy();
  });

  test.each([404, 501])('does not exist for a service that answers %d', async (status) => {
    const unknown = () => Response.json({ message: 'Unknown.' }, { status });
    const { user } = open(serviceWith({ sessions: unknown }));
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
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

describe('changing one’s own password', () => {
  test('checks the form in the words of the specification', async () => {
    const { user, service } = open();
    await user.type(await field('New password'), 'short');
    await user.click(submit());
    for (const text of [
      'Please input your Password!',
      'Please use at least 8 characters as password!',
      'Please input your Password again!',
    ])
      expect(await screen.findByText(text)).toBeTruthy();
    await user.type(await field('New password again'), 'other');
    expect(await screen.findByText('The two passwords that you entered do not match!')).toBeTruthy();
    expect(service.callsOf('account.changePassword')).toEqual([]);
  });

  test('sends the current and the new one, and empties the form', async () => {
    const { user, service } = open(serviceWith({ changePassword: () => ({ status: 'success' }) }));
    await user.type(await field('Current password'), 'the old one');
    await user.type(await field('New password'), 'the new one');
    await user.type(await field('New password again'), 'the new one{Enter}');
    expect(await screen.findByText('Your password is changed. All other sessions are ended.')).toBeTruthy();
    expect(service.callsOf('account.changePassword').map(({ body }) => body)).toEqual([
      { currentPassword: 'the old one', newPassword: 'the new one' },
    ]);
    expect(await screen.findByLabelText<HTMLInputElement>('Current password')).toHaveProperty('value', '');
  });

  test('shows why it was refused and stays logged in', async () => {
    const wrong = () => refuse('WRONG_PASSWORD', 'The current password is not right.');
    const { user } = open(serviceWith({ changePassword: wrong }));
    await user.type(await field('Current password'), 'a guess');
    await user.type(await field('New password'), 'the new one');
    await user.type(await field('New password again'), 'the new one');
    await user.click(submit());
    expect(await screen.findByText('The current password is not right.')).toBeTruthy();
    expect(location.pathname).toBe('/account');
  });
});

describe('one’s own sessions', () => {
  test('tell device, address and times, and which one this is', async () => {
    open();
    const table = await screen.findByRole('table', { name: 'Where you are logged in' });
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map(({ textContent }) => textContent?.trim()),
      );
    const rest = ['10.0.0.7', '2026-03-04 05:06:07', '2026-03-05 06:07:08'];
    expect(rows).toEqual([
      ['Firefox on Windows This session', ...rest],
      ['Firefox on Windows', ...rest],
    ]);
  });

  test('end everywhere else after asking', async () => {
    let sessions = [session('s-1', true), session('s-2', false)];
    const { user } = open(
      serviceWith({
        sessions: () => sessions,
        endOtherSessions: () => {
          sessions = sessions.filter(({ current }) => current);
          return { ended: 1 };
        },
      }),
    );
    const button = (await screen.findByText('Sign out elsewhere')).closest('button');
    await waitFor(() => expect(button?.disabled).toBe(false));
    await user.click(await screen.findByText('Sign out elsewhere'));
    await user.click(await screen.findByText('Yes'));
    await waitFor(() => expect(screen.getAllByText(/Firefox on Windows/)).toHaveLength(1));
    expect(button?.disabled).toBe(true);
  });
});

test.each([
  [windows, 'Firefox on Windows'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15',
    'Safari on macOS',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/141.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/141.0 Mobile Safari/604.1', 'Chrome on iOS'],
  ['curl/8.5.0', 'curl'],
  ['', 'Unknown device'],
])('the device behind %j is %s', (userAgent, device) => {
  expect(deviceOf(userAgent)).toBe(device);
});
