import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

const answers = {
  session: {
    status: () => ({ status: 'initialized' as const }),
    login: ({ body }: { body: { username: string; password: string } }) =>
      body.password === 'right'
        ? { accessToken: 'token-2', user: adminUser }
        : refuse('LOGIN_REFUSED', 'The name or the password is wrong.'),
  },
  about: { version: () => '1.4.0' },
  kapsules: { list: () => [] },
};

const fill = async (user: ReturnType<typeof renderScreen>['user'], username: string, password: string) => {
  await user.type(await screen.findByLabelText('Username'), username);
  await user.type(screen.getByLabelText('Password'), password);
};
const logIn = () => screen.getByRole('button', { name: /Log in$/ });

describe('the login form', () => {
  test('asks for both fields in the words of the specification', async () => {
    const { user, service } = renderScreen('/login', { answers });
    await screen.findByLabelText('Username');
    expect(screen.queryByText('Please input your Username!')).toBeNull();
    await user.click(logIn());
    expect(screen.getByText('Please input your Username!')).toBeTruthy();
    expect(screen.getByText('Please input your Password!')).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText('Username'));
    expect(service.callsOf('session.login')).toEqual([]);
  });

  test('focuses the first field and submits on Enter', async () => {
    const { user, service } = renderScreen('/login', { answers });
    const username = await screen.findByLabelText('Username');
    expect(document.activeElement).toBe(username);
    await fill(user, 'admin', 'right{Enter}');
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(service.callsOf('session.login').map(({ body }) => body)).toEqual([
      { username: 'admin', password: 'right' },
    ]);
  });

  test('sends one request however often the button is pressed', async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const slow = {
      ...answers,
      session: { ...answers.session, login: () => gate.then(() => ({ accessToken: 't', user: adminUser })) },
    };
    const { user, service } = renderScreen('/login', { answers: slow });
    await fill(user, 'admin', 'right{Enter}{Enter}');
    await user.click(screen.getByRole('button', { name: /Log in/ }));
    release();
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(service.callsOf('session.login')).toHaveLength(1);
  });

  test("shows the server's message above the button, and it can be closed", async () => {
    const { user } = renderScreen('/login', { answers });
    await fill(user, 'admin', 'wrong{Enter}');
    const alert = await screen.findByText('The name or the password is wrong.');
    expect(alert.compareDocumentPosition(logIn()) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(location.pathname).toBe('/login');
    await user.click(screen.getByRole('button', { name: 'Close the message' }));
    await waitFor(() => expect(screen.queryByText('The name or the password is wrong.')).toBeNull());
  });

  test('stores the token and the user as two entries of the session storage and goes to /', async () => {
    const { user } = renderScreen('/login', { answers });
    await fill(user, 'admin', 'right{Enter}');
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(location.pathname).toBe('/data/kapsules');
    expect(sessionStorage).toHaveLength(2);
    expect(sessionStorage.getItem('kaptain.token')).toBe('token-2');
    expect(JSON.parse(sessionStorage.getItem('kaptain.user') ?? '')).toMatchObject({ username: 'admin' });
  });
});

describe('the version line', () => {
  test('shows the version of the service', async () => {
    renderScreen('/login', { answers });
    expect(await screen.findByText('Version 1.4.0')).toBeTruthy();
  });

  test('takes the version as a JSON string, too', async () => {
    renderScreen('/login', {
      answers: { ...answers, about: { version: () => Response.json({ data: '2.0.1' }) } },
    });
    expect(await screen.findByText('Version 2.0.1')).toBeTruthy();
  });

  test('says unknown version when it cannot be fetched', async () => {
    renderScreen('/login', {
      answers: { ...answers, about: { version: () => refuse('INTERNAL', 'broken') } },
    });
    expect(await screen.findByText('unknown version')).toBeTruthy();
  });
});
