import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

const stored = {
  _id: 'a-1',
  name: 'Load script',
  apikey: 'kpt_3EYG…Kz9c',
  userName: 'admin',
  createdAt: '2026-03-04T05:06:07Z',
  lastUsedAt: null,
};
const KEY = 'kpt_a-long-and-random-key-of-the-service';

const serviceWith = (apiKeys: Answers['apiKeys'] = {}, apiKey = true): Answers => ({
  settings: { get: () => ({ settings: { apiKey, qlikHost: 'CERT' } }) },
  apiKeys: { list: () => [stored], generate: () => ({ apikey: KEY }), ...apiKeys },
});
const open = (answers = serviceWith()) => renderScreen('/data/apikey', { as: adminUser, answers });
async function openDialog(answers = serviceWith()) {
  const rendered = open(answers);
  await rendered.user.click(await screen.findByText('Create Api Key'));
  const dialog = await screen.findByRole('dialog');
  const press = (name: string) => rendered.user.click(within(dialog).getByRole('button', { name }));
  return { ...rendered, dialog, press };
}
const keyField = () => screen.getByLabelText<HTMLTextAreaElement>('API key', { selector: 'textarea' });

afterEach(() => vi.restoreAllMocks());

describe('the page of API keys', () => {
  test('shows name, masked key, creator, created and last used', async () => {
    open();
    await screen.findByText('Load script');
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers).toEqual(['Name', 'API key', 'Creator', 'Created', 'Last used', 'Actions']);
    const cells = screen.getAllByRole('cell').map(({ textContent }) => textContent);
    expect(cells.slice(0, 5)).toEqual([
      'Load script',
      'kpt_3EYG…Kz9c',
      'admin',
      '2026-03-04 05:06:07',
      'Never',
    ]);
  });

  test('is an empty list, silently, when it cannot be loaded', async () => {
    open(serviceWith({ list: () => refuse('INTERNAL', 'Broken inside.') }));
    await screen.findByRole('heading', { name: 'No API keys to show' });
    expect(screen.queryByText('Broken inside.')).toBeNull();
  });

  test('makes no call and is not there while the setting is off', async () => {
    const { service } = open(serviceWith({}, false));
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    await waitFor(() => expect(service.callsOf('settings.get')).toHaveLength(1));
    expect(service.callsOf('apiKeys.list')).toEqual([]);
  });

  test('deletes a key after asking', async () => {
    const { user, service } = open(serviceWith({ remove: () => ({ status: 'success' }) }));
    await user.click(await screen.findByLabelText('Delete Load script'));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete Load script?' });
    expect(service.callsOf('apiKeys.remove')).toEqual([]);
    await user.click(within(dialog).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(service.callsOf('apiKeys.remove')).toHaveLength(1));
    expect(service.callsOf('apiKeys.remove')[0]?.url).toMatch(/\/api\/privatekey\/del\/a-1$/);
  });
});

describe('creating an API key', () => {
  test('asks for name and key', async () => {
    const { press, service } = await openDialog();
    expect(keyField().rows).toBe(3);
    await press('Create');
    expect(await screen.findByText('Please input your ApiKey Name!')).toBeTruthy();
    expect(await screen.findByText('Please input or generate your ApiKey!')).toBeTruthy();
    expect(service.callsOf('apiKeys.create')).toEqual([]);
  });

  test('generates a key, copies it and stores it under a name', async () => {
    const { user, press, service } = await openDialog(serviceWith({ create: () => stored }));
    expect(screen.getByText(/the whole key is shown only here/)).toBeTruthy();
    await press('Generate');
    await waitFor(() => expect(keyField().value).toBe(KEY));
    await press('Copy');
    expect(await screen.findByText('Copy successfully!')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe(KEY);
    await user.type(screen.getByLabelText('Name', { selector: 'input' }), 'Extension{Enter}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(service.callsOf('apiKeys.create').map(({ body }) => body)).toEqual([
      { name: 'Extension', apikey: KEY },
    ]);
  });

  test('says so when the browser does not copy', async () => {
    const { press } = await openDialog();
    await press('Generate');
    await waitFor(() => expect(keyField().value).toBe(KEY));
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'));
    await press('Copy');
    expect(await screen.findByText('Copy failed!')).toBeTruthy();
  });

  test('shows the message of the service and keeps what was entered', async () => {
    const refused = () => refuse('CONFLICT', 'This ApiKey exists already. Please generate another one.');
    const { user, press, dialog } = await openDialog(serviceWith({ create: refused }));
    await user.type(screen.getByLabelText('Name', { selector: 'input' }), 'Extension');
    await user.type(keyField(), 'typed-by-hand-0123456789-abcdefgh');
    await press('Create');
    expect((await within(dialog).findByRole('alert')).textContent).toBe(
      'This ApiKey exists already. Please generate another one.',
    );
    expect(keyField().value).toBe('typed-by-hand-0123456789-abcdefgh');
  });
});
