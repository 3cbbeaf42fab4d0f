import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../testing/enter.ts';
import type { Answers } from '../testing/fake-service.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';

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
  test('that answers our extras with a web page loses only their screens, and may list users as a plain array', async () => {
    const list = () => Response.json([{ userId: 'u-1', username: 'paula', role: 'USER' }]);
    const answers = { ...foreign, users: { list }, audit: { list: webPage }, account: { sessions: webPage } };
    const { user } = renderScreen('/system/users', { as: adminUser, answers, isMenuOpen: true });
    expect(await screen.findByText('paula')).toBeTruthy();
    expect(screen.getByText('Active')).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole('menuitem', { name: 'Audit' })).toBeNull());
    await user.click(screen.getByLabelText('Account: admin'));
    expect(await screen.findByText('Logout')).toBeTruthy();
    expect(screen.queryByText('My account')).toBeNull();
  });

  test('may say nothing about a group it has stored', async () => {
    const answers = { ...foreign, groups: { ...foreign.groups, create: empty } };
    const { user, service } = renderScreen('/system/groups', { as: adminUser, answers });
    await user.click(await screen.findByText('Create Group'));
    enter(await screen.findByLabelText('Group name'), 'Sales');
    await user.click(screen.getByText('Save'));
    expect(await screen.findByText('Sales is saved.')).toBeTruthy();
    expect(service.callsOf('groups.create')).toHaveLength(1);
  });

  test('may wrap its settings and answer a new API key as plain text', async () => {
    const text = () => new Response('key-1', { headers: { 'content-type': 'text/plain' } });
    const apiKeys = { list: () => [], generate: text };
    const { user } = renderScreen('/data/apikey', { as: adminUser, answers: { ...foreign, apiKeys } });
    await user.click(await screen.findByText('Create Api Key'));
    await user.click(await screen.findByText('Generate'));
    await waitFor(() => expect(screen.getByLabelText<HTMLTextAreaElement>('API key').value).toBe('key-1'));
  });
});
