import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import type { Answers } from '../testing/fake-service.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';

const entry = (name: string) => screen.findByRole('menuitem', { name });
const webPage = () =>
  new Response('<!doctype html><p>Welcome</p>', { headers: { 'content-type': 'text/html' } });
const empty = () => new Response('');
const apiKeysOn = { get: () => Response.json({ data: { settings: { apiKey: true } } }) };
const foreign: Answers = {
  kapsules: { list: () => Response.json({ data: [] }) },
  users: { list: () => Response.json([]) },
  groups: { list: () => Response.json({ data: [] }) },
  settings: apiKeysOn,
};

describe('another implementation of the same calls', () => {
  test.each([
    ['404', () => new Response('', { status: 404 })],
    ['405', () => new Response('', { status: 405 })],
    ['a web page', webPage],
  ])('that answers our extras with %s costs only their screens', async (_, unknown) => {
    const answers = { ...foreign, audit: { list: unknown }, account: { sessions: unknown } };
    const { user } = renderScreen('/about', { as: adminUser, answers });
    await entry('Users');
    await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Audit' })).toBeNull());
    await user.click(screen.getByRole('button', { name: 'Account: admin' }));
    expect(await screen.findByText('Logout')).toBeTruthy();
    expect(screen.queryByText('My account')).toBeNull();
  });

  test('may answer the list of users as a plain array', async () => {
    const list = () => Response.json([{ userId: 'u-1', username: 'paula', role: 'USER' }]);
    renderScreen('/system/users', { as: adminUser, answers: { ...foreign, users: { list } } });
    expect(await screen.findByText('paula')).toBeTruthy();
    expect(screen.getByText('Active')).toBeTruthy();
  });

  test('may say nothing about a group it has stored', async () => {
    const answers = { ...foreign, groups: { ...foreign.groups, create: empty } };
    const { user, service } = renderScreen('/system/groups', { as: adminUser, answers });
    await user.click(await screen.findByRole('button', { name: /Create Group/ }));
    await user.type(await screen.findByLabelText('Group name'), 'Sales');
    await user.click(screen.getByText('Save'));
    expect(await screen.findByText('Sales is saved.')).toBeTruthy();
    expect(service.callsOf('groups.create')).toHaveLength(1);
  });

  test('may wrap its settings and answer a new API key as plain text', async () => {
    const text = () => new Response('key-1', { headers: { 'content-type': 'text/plain' } });
    const apiKeys = { list: () => [], generate: text };
    const { user } = renderScreen('/data/apikey', { as: adminUser, answers: { ...foreign, apiKeys } });
    await user.click(await screen.findByRole('button', { name: /Create Api Key/ }));
    await user.click(await screen.findByRole('button', { name: /Generate/ }));
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('API key').value).toBe('key-1'));
  });

  test('may call the success of the first visit as it likes', async () => {
    const session = {
      status: () => ({ status: 'initializationNeeded' }) as const,
      init: () => ({ status: 'success' }),
    };
    const { user } = renderScreen('/login', { answers: { session } });
    await user.type(await screen.findByLabelText('Password'), '12345678');
    await user.type(screen.getByLabelText('Password again'), '12345678{Enter}');
    expect(await screen.findByRole('heading', { name: 'Log in' })).toBeTruthy();
    expect(await screen.findByText('Admin created')).toBeTruthy();
  });
});
