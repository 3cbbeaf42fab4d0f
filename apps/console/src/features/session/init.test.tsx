import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

type Init = NonNullable<NonNullable<Answers['session']>['init']>;

const firstVisit = (init: Init): Answers => ({
  session: { status: () => ({ status: 'initializationNeeded' }), init },
});
const enterPasswords = async (password: string, again = password) => {
  enter(await screen.findByLabelText('Password'), password);
  enter(screen.getByLabelText('Password again'), again);
};
const button = () => screen.getByText('Create admin', { selector: 'button span' });

describe('the form for the first admin', () => {
  test('refuses wrong passwords, keeps what was typed when the service fails, and asks for the setup token it wants', async () => {
    const failures = [
      () => refuse('INTERNAL', 'The disk is on fire.'),
      () => refuse('SETUP_TOKEN_REQUIRED', 'Token please.'),
    ];
    const { user, service } = renderScreen('/login', {
      answers: firstVisit(() => failures.shift()?.() ?? { status: 'initialized' }),
    });
    const username = await screen.findByLabelText<HTMLInputElement>('Username');
    expect([username.value, username.disabled]).toEqual(['admin', true]);
    const problems = () => screen.getAllByRole('alert').map(({ textContent }) => textContent);
    await user.click(button());
    expect(problems()).toEqual([
      'Please use at least 8 characters as password!',
      'Please input your Password again!',
    ]);
    await enterPasswords('12345678', '12345679');
    expect(problems()).toEqual(['The two passwords that you entered do not match!']);
    expect(service.callsOf('session.init')).toEqual([]);

    await enterPasswords('12345678');
    await user.click(button());
    expect(await screen.findByText('Create admin failed')).toBeTruthy();
    expect(screen.getByText('Please try again!')).toBeTruthy();
    expect(screen.getByText('The disk is on fire.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('12345678');

    expect(screen.queryByLabelText('Setup token')).toBeNull();
    await user.click(button());
    enter(await screen.findByLabelText('Setup token'), 'secret');
    await user.click(button());
    expect(await screen.findByText('Admin created')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(service.callsOf('session.init').at(-1)?.body).toEqual({
      username: 'admin',
      password: '12345678',
      setupToken: 'secret',
    });
  });

  test('tells that an admin already exists', async () => {
    const { user } = renderScreen('/login', { answers: firstVisit(() => ({ status: 'adminExist' })) });
    await enterPasswords('12345678');
    await user.click(button());
    expect(await screen.findByText('Admin already exist')).toBeTruthy();
    expect(screen.getByText('Please login and use the service with admin user!')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Log in' })).toBeTruthy();
  });

  test('understands another service that wraps its answers and calls its success as it likes', async () => {
    const answers: Answers = {
      session: {
        status: () => Response.json({ data: { status: 'initializationNeeded' } }),
        init: () => ({ status: 'success' }),
      },
      about: { version: () => Response.json({ data: '2.0.1' }) },
    };
    const { user, service } = renderScreen('/login', { answers });
    expect(await screen.findByText('Version 2.0.1')).toBeTruthy();
    await enterPasswords('12345678');
    await user.click(button());
    expect(await screen.findByText('Admin created')).toBeTruthy();
    expect(service.callsOf('session.init').map(({ body }) => body)).toEqual([
      { username: 'admin', password: '12345678' },
    ]);
  });
});

test('a service whose status and version cannot be fetched counts as initialized', async () => {
  renderScreen('/login', {
    answers: {
      session: { status: () => refuse('UNAVAILABLE', 'later') },
      about: { version: () => refuse('INTERNAL', 'broken') },
    },
  });
  expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  await waitFor(() => expect(screen.getByText('unknown version')).toBeTruthy());
});
