import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../testing/enter.ts';
import { type Answers, refuse } from '../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../testing/render-screen.tsx';

const answers: Answers = {
  session: { status: () => ({ status: 'initialized' }), logout: () => undefined },
  kapsules: { list: () => [] },
};
/** Waits for the login form; returns the address and the stored token. */
const afterwards = async () => {
  await screen.findByRole('heading', { name: 'Log in' });
  return { path: location.pathname, token: sessionStorage.getItem('kaptain.token') };
};
const loggedOut = { path: '/login', token: null };

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

  test('ends with any 401, and the next login goes to /', async () => {
    let isExpired = true;
    const { user } = renderScreen('/data/kapsules?q=sales', {
      as: adminUser,
      answers: {
        session: { ...answers.session, login: () => ({ accessToken: 'token-2', user: adminUser }) },
        kapsules: { list: () => (isExpired ? refuse('NOT_LOGGED_IN', 'Log in again.') : []) },
      },
    });
    expect(await afterwards()).toEqual(loggedOut);
    isExpired = false;
    enter(screen.getByLabelText('Username'), 'admin');
    await user.type(screen.getByLabelText('Password'), 'x{Enter}');
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(location.pathname + location.search).toBe('/data/kapsules');
  });

  test('ends with Logout, also when the service does not answer', async () => {
    const { user, service } = renderScreen('/data/kapsules', {
      as: plainUser,
      answers: { ...answers, session: { ...answers.session, logout: () => refuse('UNAVAILABLE', 'later') } },
    });
    await user.click(await screen.findByLabelText('Account: jane'));
    expect(await screen.findByText('User')).toBeTruthy();
    await user.click(await screen.findByText('Logout'));
    expect(await afterwards()).toEqual(loggedOut);
    await waitFor(() => expect(service.callsOf('session.logout')).toHaveLength(1));
    expect(service.callsOf('session.logout')[0]?.authorization).toBe('Bearer token-1');
  });
});
