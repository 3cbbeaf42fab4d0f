import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

describe('the login form', () => {
  test('asks for both fields in the words of the specification, and shows why the service refuses', async () => {
    const wrong = 'The name or the password is wrong.';
    const { user, service } = renderScreen('/login', {
      answers: {
        session: {
          status: () => ({ status: 'initialized' as const }),
          login: () => refuse('LOGIN_REFUSED', wrong),
        },
        about: { version: () => '1.4.0' },
      },
    });
    const username = await screen.findByLabelText('Username');
    expect(document.activeElement).toBe(username);
    expect(await screen.findByText('Version 1.4.0')).toBeTruthy();
    expect(screen.queryByText('Please input your Username!')).toBeNull();
    const button = screen.getByRole('button', { name: /Log in$/ });
    await user.click(button);
    expect(screen.getByText('Please input your Username!')).toBeTruthy();
    expect(screen.getByText('Please input your Password!')).toBeTruthy();
    expect(document.activeElement).toBe(username);
    expect(service.callsOf('session.login')).toEqual([]);

    enter(username, 'admin');
    await user.type(screen.getByLabelText('Password'), 'x{Enter}');
    const alert = await screen.findByText(wrong);
    expect(alert.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
    expect(location.pathname).toBe('/login');
    await user.click(screen.getByLabelText('Close the message'));
    await waitFor(() => expect(screen.queryByText(wrong)).toBeNull());
    // The closed message passes the focus on.
    await waitFor(() => expect(document.activeElement).toBe(button));
  });

  test('sends one request however often it is submitted, stores token and user, and goes to /', async () => {
    const answer = Promise.withResolvers<{ accessToken: string; user: typeof adminUser }>();
    const { user, service } = renderScreen('/login', {
      answers: {
        session: { status: () => ({ status: 'initialized' as const }), login: () => answer.promise },
        kapsules: { list: () => [] },
      },
    });
    enter(await screen.findByLabelText('Username'), 'admin');
    enter(screen.getByLabelText('Password'), 'right');
    await user.type(screen.getByLabelText('Password'), '{Enter}{Enter}');
    await user.click(screen.getByRole('button', { name: /Log in/ }));
    answer.resolve({ accessToken: 'token-2', user: adminUser });
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(service.callsOf('session.login').map(({ body }) => body)).toEqual([
      { username: 'admin', password: 'right' },
    ]);
    expect(location.pathname).toBe('/data/kapsules');
    expect(sessionStorage).toHaveLength(2);
    expect(sessionStorage.getItem('kaptain.token')).toBe('token-2');
    expect(JSON.parse(sessionStorage.getItem('kaptain.user') ?? '')).toMatchObject({ username: 'admin' });
  });

  test('asks for the code of an account with a second factor, and begins again when that took too long', async () => {
    const codes: string[] = [];
    const answers = [
      () => refuse('LOGIN_REFUSED', 'This code is not right.'),
      () => refuse('SIGN_IN_EXPIRED', 'Begin again.'),
      () => ({ accessToken: 'token-3', user: adminUser }),
    ];
    const required = {
      statusCode: 401,
      code: 'SECOND_FACTOR_REQUIRED',
      message: 'Please enter the code.',
      requestId: 'r',
      details: { challenge: 'challenge-1', methods: ['code'] },
    };
    const { user, service } = renderScreen('/login', {
      answers: {
        session: {
          status: () => ({ status: 'initialized' as const }),
          login: () => Response.json(required, { status: 401 }),
          secondFactor: ({ body }) => {
            codes.push(body.code ?? '');
            return answers.shift()?.() ?? refuse('INTERNAL', 'No more.');
          },
        },
        kapsules: { list: () => [] },
      },
    });
    const logIn = async () => {
      enter(await screen.findByLabelText('Username'), 'admin');
      await user.type(screen.getByLabelText('Password'), 'right{Enter}');
      return screen.findByLabelText('Code');
    };
    const code = await logIn();
    expect(document.activeElement).toBe(code);
    expect(sessionStorage).toHaveLength(0);
    await user.click(screen.getByRole('button', { name: /Log in$/ }));
    expect(await screen.findByText('Please input your code!')).toBeTruthy();
    expect(codes).toEqual([]);
    await user.type(code, '123 456{Enter}');
    expect(await screen.findByText('This code is not right.')).toBeTruthy();
    await user.type(code, '{Enter}');
    expect(await screen.findByText('Begin again.')).toBeTruthy();
    await user.click(screen.getByText('Back to the password'));
    await user.type(await logIn(), '654321{Enter}');
    await screen.findByRole('heading', { name: 'Kapsules' });
    expect(codes).toEqual(['123 456', '123 456', '654321']);
    expect(service.callsOf('session.secondFactor')[0]?.body).toEqual({
      challenge: 'challenge-1',
      code: '123 456',
    });
    expect(sessionStorage.getItem('kaptain.token')).toBe('token-3');
  });
});
