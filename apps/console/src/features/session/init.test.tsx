import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { renderScreen } from '../../testing/render-screen.tsx';

type Init = NonNullable<NonNullable<Answers['session']>['init']>;

const firstVisit = (init: Init): Answers => ({
  session: { status: () => ({ status: 'initializationNeeded' }), init },
});
const initialized = () => ({ status: 'initialized' }) as const;

type User = ReturnType<typeof renderScreen>['user'];
const fill = async (user: User, password: string, again: string) => {
  if (password) await user.type(await screen.findByLabelText('Password'), password);
  if (again) await user.type(screen.getByLabelText('Password again'), again);
  await user.click(await screen.findByRole('button', { name: 'Create admin' }));
};

describe('the form for the first admin', () => {
  test('fixes the username to admin', async () => {
    renderScreen('/login', { answers: firstVisit(initialized) });
    const username = await screen.findByLabelText<HTMLInputElement>('Username');
    expect(username.value).toBe('admin');
    expect(username.disabled).toBe(true);
  });

  test.each([
    [
      'nothing',
      '',
      '',
      ['Please use at least 8 characters as password!', 'Please input your Password again!'],
    ],
    ['a short password', '1234567', '1234567', ['Please use at least 8 characters as password!']],
    ['no confirmation', '12345678', '', ['Please input your Password again!']],
    ['another confirmation', '12345678', '12345679', ['The two passwords that you entered do not match!']],
  ])('refuses %s', async (_, password, again, expected) => {
    const { user, service } = renderScreen('/login', { answers: firstVisit(initialized) });
    await fill(user, password, again);
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual(expected);
    expect(service.callsOf('session.init')).toEqual([]);
  });

  test('leads to the login form after success', async () => {
    const { user, service } = renderScreen('/login', { answers: firstVisit(initialized) });
    await fill(user, '12345678', '12345678');
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(await screen.findByText('Admin created')).toBeTruthy();
    expect(service.callsOf('session.init').map(({ body }) => body)).toEqual([
      { username: 'admin', password: '12345678' },
    ]);
  });

  test('tells that an admin already exists', async () => {
    const { user } = renderScreen('/login', { answers: firstVisit(() => ({ status: 'adminExist' })) });
    await fill(user, '12345678', '12345678');
    expect(await screen.findByText('Admin already exist')).toBeTruthy();
    expect(screen.getByText('Please login and use the service with admin user!')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Log in' })).toBeTruthy();
  });

  test('stays with what was typed when it fails', async () => {
    const { user } = renderScreen('/login', {
      answers: firstVisit(() => refuse('INTERNAL', 'The disk is on fire.')),
    });
    await fill(user, '12345678', '12345678');
    expect(await screen.findByText('Create admin failed')).toBeTruthy();
    expect(screen.getByText('Please try again!')).toBeTruthy();
    expect(screen.getByText('The disk is on fire.')).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('12345678');
  });

  test('asks for the setup token when the service wants it', async () => {
    const { user, service } = renderScreen('/login', {
      answers: firstVisit(({ body }) =>
        body.setupToken === 'secret'
          ? { status: 'initialized' }
          : refuse('SETUP_TOKEN_REQUIRED', 'Token please.'),
      ),
    });
    await fill(user, '12345678', '12345678');
    await user.type(await screen.findByLabelText('Setup token'), 'secret');
    await user.click(screen.getByRole('button', { name: /Create admin$/ }));
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(service.callsOf('session.init').at(-1)?.body).toMatchObject({ setupToken: 'secret' });
  });
});

describe('the status of the app', () => {
  test('counts as initialized when it cannot be fetched', async () => {
    renderScreen('/login', { answers: { session: { status: () => refuse('UNAVAILABLE', 'later') } } });
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
  });

  test('is understood wrapped in data', async () => {
    const status = () => Response.json({ data: { status: 'initializationNeeded' } });
    renderScreen('/login', { answers: { session: { status } } });
    await waitFor(() => expect(screen.getByLabelText('Password again')).toBeTruthy());
  });
});
