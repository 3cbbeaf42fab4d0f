import { groups } from '@kaptain/contract/groups';
import { kapsules } from '@kaptain/contract/kapsules';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { service as clientOf } from '../api/service.ts';
import { enter } from '../testing/enter.ts';
import { type Answers, refuse } from '../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../testing/render-screen.tsx';
import { sampleGranule } from '../testing/sample-granule.ts';
import { sampleKapsule } from '../testing/sample-kapsule.ts';

const answers: Answers = {
  session: { status: () => ({ status: 'initialized' }), logout: () => undefined },
  kapsules: { list: () => [] },
};
/** Waits for the login form; returns the address, the title and how many values are stored. */
const afterwards = async () => {
  await screen.findByRole('heading', { name: 'Log in' });
  return { path: location.pathname, title: document.title, stored: sessionStorage.length };
};
const openKapsule = sampleKapsule({ _id: 'k1', name: 'Sales', authority: ['READ', 'DELETE'] });
const onePage = {
  data: [sampleGranule('A1', { version: 1 })],
  total: 1,
  totalIsExact: true,
  summary: { total: 1, reloaded: 0, notReloaded: 1 },
};
const loggedOut = { path: '/login', title: 'Log in · Kaptain', stored: 0 };

/**
 * Opens a form, enters a text, ends the session from outside, and logs in again an hour later. The screens of these forms read the
 * logged-in user, and while the login is shown there is none.
 */
async function endedAnHourAgo(address: string, opener: string, label: string) {
  let isExpired = false;
  const { user } = renderScreen(address, {
    as: adminUser,
    answers: {
      kapsules: { get: () => openKapsule, list: () => [] },
      granules: { list: () => onePage },
      dataApi: { upsert: () => refuse('NOT_LOGGED_IN', 'Log in again.') },
      session: { ...answers.session, login: () => ({ accessToken: 'token-2', user: adminUser }) },
      users: { list: () => ({ data: [] }) },
      groups: { list: () => (isExpired ? refuse('NOT_LOGGED_IN', 'Log in again.') : []) },
    },
  });
  const logInAgain = async () => {
    const login = screen.getByLabelText('Username').closest('form') as HTMLFormElement;
    await user.type(within(login).getByLabelText('Password'), 'x{Enter}');
    await waitFor(() => expect(location.pathname + location.search).toBe(address));
    return within(await screen.findByRole('dialog'));
  };
  await user.click(await screen.findByText(opener, { selector: 'button span' }));
  const dialog = within(await screen.findByRole('dialog'));
  enter(await dialog.findByLabelText(label), 'What I was typing');
  isExpired = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await expect(clientOf({ groups }).groups.list({})).rejects.toThrow('Log in again.');
  expect(await screen.findByText(/what you have entered is kept/)).toBeTruthy();
  await vi.advanceTimersByTimeAsync(3_600_000);
  vi.useRealTimers();
  isExpired = false;
  return { user, label, logInAgain, again: await logInAgain() };
}

describe('a session', () => {
  test('is needed for every page behind the login', async () => {
    const { service } = renderScreen('/data/kapsules', { answers });
    expect(await afterwards()).toEqual(loggedOut);
    expect(service.callsOf('kapsules.list')).toEqual([]);
  });

  test('without its user loses its token', async () => {
    sessionStorage.setItem('kaptain.token', 'token-1');
    renderScreen('/about', { answers });
    expect(await afterwards()).toEqual(loggedOut);
  });

  test('whose stored user is no user counts as none', async () => {
    sessionStorage.setItem('kaptain.token', 'token-1');
    sessionStorage.setItem('kaptain.user', '{"username":1}');
    renderScreen('/about', { answers });
    expect(await afterwards()).toEqual(loggedOut);
  });

  test('ends with any 401; the login says why and leads to the page for the same user, to the start for another one', async () => {
    let isExpired = true;
    let account = adminUser;
    const { user } = renderScreen('/data/kapsules?q=sales', {
      as: adminUser,
      answers: {
        session: { ...answers.session, login: () => ({ accessToken: 'token-2', user: account }) },
        kapsules: { list: () => (isExpired ? refuse('NOT_LOGGED_IN', 'Log in again.') : []) },
      },
    });
    const logInAs = async (next: typeof adminUser) => {
      expect(await afterwards()).toEqual(loggedOut);
      expect(screen.getByText('Your session has ended')).toBeTruthy();
      expect(screen.queryByText(/what you have entered is kept/)).toBeNull();
      expect(screen.getByLabelText<HTMLInputElement>('Username').value).toBe('admin');
      isExpired = false;
      account = next;
      enter(screen.getByLabelText('Username'), next.username);
      await user.type(screen.getByLabelText('Password'), 'x{Enter}');
      await screen.findByRole('heading', { name: 'Kapsules' });
      return location.pathname + location.search;
    };
    expect(await logInAs(adminUser)).toBe('/data/kapsules?q=sales');
    isExpired = true;
    await expect(clientOf({ kapsules }).kapsules.list({})).rejects.toThrow('Log in again.');
    expect(await logInAs(plainUser)).toBe('/data/kapsules');
  });

  test('that ends while a form has unsaved values keeps them for the same user', async () => {
    let isExpired = true;
    const created: unknown[] = [];
    const { user, service } = renderScreen('/system/groups', {
      as: adminUser,
      answers: {
        session: { ...answers.session, login: () => ({ accessToken: 'token-2', user: adminUser }) },
        kapsules: { list: () => [] },
        users: { list: () => ({ data: [] }) },
        groups: {
          list: () => [],
          create: ({ body }) => {
            if (isExpired) return refuse('NOT_LOGGED_IN', 'Log in again.');
            created.push(body.groupname);
            return { _id: 'g-1', groupname: body.groupname };
          },
        },
      },
    });
    await user.click(await screen.findByText('Create Group', { selector: 'button span' }));
    enter(await screen.findByLabelText('Group name'), 'Sales of the north');
    await user.click(screen.getByText('Save'));
    expect(await afterwards()).toEqual(loggedOut);
    expect(screen.getByText(/what you have entered is kept/)).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
    const sent = service.calls.length;
    isExpired = false;
    await user.type(screen.getByLabelText('Password'), 'x{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/system/groups'));
    // Nothing but the login was called meanwhile.
    expect(service.calls[sent]?.name).toBe('session.login');
    expect(screen.getByLabelText<HTMLInputElement>('Group name').value).toBe('Sales of the north');
    await user.click(screen.getByText('Save'));
    await waitFor(() => expect(created).toEqual(['Sales of the north']));
  });

  test('that ends with a change of the password is no failure either, and gives the focus back', async () => {
    const { user } = renderScreen('/account', {
      as: adminUser,
      answers: {
        ...answers,
        account: { sessions: () => [], changePassword: () => refuse('NOT_LOGGED_IN', 'Log in again.') },
        session: { ...answers.session, login: () => ({ accessToken: 'token-2', user: adminUser }) },
      },
    });
    enter(await screen.findByLabelText('Current password'), 'the old one');
    enter(screen.getByLabelText('New password'), 'the new one');
    enter(screen.getByLabelText('New password again'), 'the new one');
    await user.type(screen.getByLabelText('New password again'), '{Enter}');
    expect(await screen.findByText(/what you have entered is kept/)).toBeTruthy();
    await user.type(screen.getByLabelText('Password'), 'x{Enter}');
    await waitFor(() => expect(location.pathname).toBe('/account'));
    const field = await screen.findByLabelText('New password again');
    await waitFor(() => expect(document.activeElement).toBe(field));
    expect(screen.queryByText('Log in again.')).toBeNull();
  });

  test.each([
    ['of a user', '/system/users', 'Create User', 'User Name'],
    ['of a kapsule', '/data/kapsules', 'Create', 'Name'],
  ])('that ends from outside leaves the form %s as it was, also for an hour', async (_, ...form) => {
    const { again, label } = await endedAnHourAgo(...form);
    expect(again.getByLabelText<HTMLInputElement>(label).value).toBe('What I was typing');
  });

  test('that ends from outside leaves the form of a granule as it was, also for an hour; that it ends with a save is no failure for the form to show', async () => {
    const form = ['/data/kapsules/k1?open=id-A1', 'Edit', 'Comment'] as const;
    const { user, again, label, logInAgain } = await endedAnHourAgo(...form);
    expect(again.getByLabelText<HTMLInputElement>(label).value).toBe('What I was typing');
    await user.click(again.getByText('Save'));
    expect(await screen.findByText(/what you have entered is kept/)).toBeTruthy();
    const afterSave = await logInAgain();
    expect(afterSave.getByLabelText<HTMLInputElement>(label).value).toBe('What I was typing');
    expect(afterSave.queryByText('Log in again.')).toBeNull();
  });

  test('ends with Logout, also when the service does not answer', async () => {
    const { user, service } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { ...answers, session: { ...answers.session, logout: () => refuse('UNAVAILABLE', 'later') } },
    });
    await user.click(await screen.findByLabelText('Account: jane'));
    const who = (await screen.findByText('User')).parentElement;
    expect(who?.textContent).toBe('janeUser');
    await user.click(await screen.findByText('Logout'));
    expect(await afterwards()).toEqual(loggedOut);
    await waitFor(() => expect(service.callsOf('session.logout')).toHaveLength(1));
    expect(service.callsOf('session.logout')[0]?.authorization).toBe('Bearer token-1');
  });
});
