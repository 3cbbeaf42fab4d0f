import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

const code = 'c'.repeat(43);
const session = {
  status: () => ({ status: 'initialized' as const }),
  options: () => ({ provider: 'Example Corp', passwordOnlyForAdmin: false }),
};

test('the login page leads to the provider beside the form, and opens the session when the browser is back', async () => {
  const { user, unmount } = renderScreen('/login', {
    answers: {
      session: {
        ...session,
        startProvider: () => ({ url: '#at-the-provider', verifier: 'verifier-1', flow: 'flow-1' }),
      },
    },
  });
  expect(await screen.findByLabelText('Username')).toBeTruthy();
  await user.click(await screen.findByText('Sign in with Example Corp'));
  await waitFor(() => expect(location.hash).toBe('#at-the-provider'));
  unmount();

  const { service } = renderScreen(`/login#sign-in=${code}`, {
    answers: {
      session: { ...session, finishProvider: () => ({ accessToken: 'token-9', user: adminUser }) },
      kapsules: { list: () => [] },
    },
  });
  await screen.findByRole('heading', { name: 'Kapsules' });
  expect(service.callsOf('session.finishProvider').map(({ body }) => body)).toEqual([
    { code, verifier: 'verifier-1' },
  ]);
  expect(location.hash).toBe('');
  expect(sessionStorage.getItem('kaptain.sign-in')).toBeNull();
});

test('a code that another person sends opens no session, and says so beside the form', async () => {
  const { service } = renderScreen(`/login#sign-in=${code}`, {
    answers: { session: { ...session, finishProvider: () => refuse('CODE_REFUSED', 'Sign in again.') } },
  });
  expect(await screen.findByText('Sign in again.')).toBeTruthy();
  // This tab has begun no sign-in, so it has no secret of its own.
  expect(service.callsOf('session.finishProvider').map(({ body }) => body)).toEqual([
    { code, verifier: 'none' },
  ]);
  expect(screen.getByLabelText('Username')).toBeTruthy();
  expect(sessionStorage).toHaveLength(0);
});
