import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { refuse } from '../testing/fake-service.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';

const needsProof = () =>
  Response.json(
    {
      statusCode: 403,
      code: 'PROOF_NEEDED',
      message: 'Please confirm that it is you.',
      requestId: 'r',
      details: { methods: ['signIn'] },
    },
    { status: 403 },
  );
const button = (name: string) => screen.getByText(name, { selector: 'button span' });

test('a user of the provider signs in again in a window of its own, and the action goes on', async () => {
  let isProven = false;
  let flows = 0;
  const opened = {
    opener: {},
    location: { replace: vi.fn<(url: string) => void>() },
    close: vi.fn<() => void>(),
  };
  const open = vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
  const { user, service } = renderScreen('/account', {
    as: { ...adminUser, isByProvider: true },
    answers: {
      // Any call may ask.
      account: { sessions: () => (isProven ? [] : needsProof()) },
      session: {
        options: () => ({ provider: 'Example Corp', passwordOnlyForAdmin: false }),
        startProof: () => {
          flows += 1;
          return { url: 'https://id.example.com/auth', verifier: `verifier ${flows}`, flow: `flow ${flows}` };
        },
        finishProof: ({ body }) => {
          if (body.code !== 'right') return refuse('CODE_REFUSED', 'Sign in again.');
          isProven = true;
          return { status: 'success' };
        },
      },
    },
  });
  const channel = new BroadcastChannel('kaptain.provider');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target; it stays in this origin.
  const say = (data: unknown) => channel.postMessage(data);
  const taken: unknown[] = [];
  channel.addEventListener('message', ({ data }) => taken.push(data));
  await user.click(await screen.findByText('Sign in with Example Corp', { selector: 'button span' }));
  await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('https://id.example.com/auth'));
  expect(opened.opener).toBeNull();
  await screen.findByText(/Waiting for the sign-in/);
  // Messages of another tab's flow, or of another form, are not for this page.
  for (const data of [{ flow: 'other', code: 'right' }, { flow: 'flow 1' }, 'x', null]) say(data);
  say({ flow: 'flow 1', code: 'wrong' });
  expect(await screen.findByText('Sign in again.')).toBeTruthy();

  // A browser that blocks the window shows a link instead.
  open.mockReturnValue(null);
  await user.click(button('Sign in with Example Corp'));
  expect((await screen.findByText('Open it here')).getAttribute('href')).toBe('https://id.example.com/auth');
  say({ flow: 'flow 2', code: 'right' });
  await waitFor(() => expect(service.callsOf('account.sessions')).toHaveLength(2));
  expect(service.callsOf('session.finishProof').map(({ body }) => body)).toEqual([
    { code: 'wrong', verifier: 'verifier 1' },
    { code: 'right', verifier: 'verifier 2' },
  ]);
  await waitFor(() => expect(screen.queryByText('Confirm that it is you')).toBeNull());
  expect(taken).toEqual([{ taken: 'flow 1' }, { taken: 'flow 2' }]);
  channel.close();
});

test('a user of the provider whose session has ended signs in in a window, and is where they were', async () => {
  let isExpired = true;
  const opened = { opener: {}, location: { replace: vi.fn<(url: string) => void>() } };
  vi.spyOn(window, 'open').mockReturnValue(opened as unknown as Window);
  const { user, service } = renderScreen('/data/kapsules?q=sales', {
    as: adminUser,
    answers: {
      session: {
        status: () => ({ status: 'initialized' }),
        options: () => ({ provider: 'Example Corp', passwordOnlyForAdmin: false }),
        startProvider: () => ({ url: 'https://id.example.com/auth', verifier: 'verifier', flow: 'flow' }),
        finishProvider: () => ({ accessToken: 'token-2', user: { ...adminUser, isByProvider: true } }),
      },
      kapsules: { list: () => (isExpired ? refuse('NOT_LOGGED_IN', 'Log in again.') : []) },
    },
  });
  await user.click(await screen.findByText('Sign in with Example Corp'));
  await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith('https://id.example.com/auth'));
  await screen.findByText(/Waiting for the sign-in/);
  isExpired = false;
  const channel = new BroadcastChannel('kaptain.provider');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target; it stays in this origin.
  channel.postMessage({ flow: 'flow', code: 'code' });
  await screen.findByRole('heading', { name: 'Kapsules' });
  channel.close();
  expect(location.pathname + location.search).toBe('/data/kapsules?q=sales');
  expect(service.callsOf('session.startProvider')[0]?.body).toMatchObject({ to: 'window' });
  expect(service.callsOf('session.finishProvider')[0]?.body).toEqual({ code: 'code', verifier: 'verifier' });
});
