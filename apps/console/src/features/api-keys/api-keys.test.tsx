import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { notices } from '../../testing/notices.ts';
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
const keyField = () => screen.getByLabelText<HTMLTextAreaElement>('API key', { selector: 'textarea' });

afterEach(() => vi.restoreAllMocks());

describe('the page of API keys', () => {
  test('shows name, masked key, creator, created and last used, and deletes a key after asking', async () => {
    const { user, service } = open(serviceWith({ remove: () => ({ status: 'success' }) }));
    const row = (await screen.findByText('Load script')).closest('tr');
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers).toEqual([
      'Name',
      'API key',
      'Creator',
      'Created',
      'Last used',
      'Expires',
      'Kapsules',
      'May',
      'Actions',
    ]);
    expect(Array.from(row?.cells ?? [], ({ textContent }) => textContent).slice(0, 8)).toEqual([
      'Load script',
      'kpt_3EYG…Kz9c',
      'admin',
      '2026-03-04 05:06:07',
      'Never',
      'Never',
      'All',
      'Write',
    ]);
    await user.click(screen.getByLabelText('Delete Load script'));
    const dialog = await screen.findByRole('dialog', { name: 'Are you sure to delete Load script?' });
    expect(within(dialog).getByText(/the key kpt_3EYG…Kz9c are refused/)).toBeTruthy();
    expect(service.callsOf('apiKeys.remove')).toEqual([]);
    await user.click(within(dialog).getByText('Yes'));
    await waitFor(() => expect(service.callsOf('apiKeys.remove')).toHaveLength(1));
    expect(service.callsOf('apiKeys.remove')[0]?.url).toMatch(/\/api\/privatekey\/del\/a-1$/);
  });

  test('is an empty list, silently, when it cannot be loaded', async () => {
    open(serviceWith({ list: () => refuse('INTERNAL', 'Broken inside.') }));
    await screen.findByText('No API keys to show');
    expect(notices()).toEqual([]);
  });

  test('makes no call and is not there while the setting is off', async () => {
    const { service } = open(serviceWith({}, false));
    expect(await screen.findByText('Page not found')).toBeTruthy();
    await waitFor(() => expect(service.callsOf('settings.get')).toHaveLength(1));
    expect(service.callsOf('apiKeys.list')).toEqual([]);
  });
});

test('creating an API key asks for name and key, generates and copies one, keeps what is refused, and stores it', async () => {
  const refusal = 'This ApiKey exists already. Please generate another one.';
  const { user, service } = open(
    serviceWith({
      create: ({ body }) => (body.apikey === KEY ? stored : refuse('CONFLICT', refusal)),
    }),
  );
  await user.click(await screen.findByText('Create Api Key'));
  const dialog = within(await screen.findByRole('dialog'));
  const press = (name: string) => user.click(dialog.getByRole('button', { name }));
  const name = dialog.getByLabelText('Name', { selector: 'input' });
  expect(keyField().rows).toBe(3);
  // The area grows with its text: jsdom has no layout, so each line is given a height here.
  vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (
    this: HTMLTextAreaElement,
  ) {
    return this.value.split('\n').length * 20;
  });
  vi.spyOn(HTMLTextAreaElement.prototype, 'clientHeight', 'get').mockImplementation(function (
    this: HTMLTextAreaElement,
  ) {
    return this.rows * 20;
  });
  for (const [lines, rows] of [
    [4, 4],
    [12, 6],
    [1, 3],
  ] as const) {
    enter(keyField(), '\n'.repeat(lines - 1));
    expect(keyField().rows).toBe(rows);
  }
  expect(screen.getByText(/the whole key is shown only here/)).toBeTruthy();
  await press('Create');
  expect(await screen.findByText('Please input your ApiKey Name!')).toBeTruthy();
  expect(await screen.findByText('Please input or generate your ApiKey!')).toBeTruthy();
  expect(service.callsOf('apiKeys.create')).toEqual([]);

  enter(name, 'Extension');
  enter(keyField(), 'typed-by-hand-0123456789-abcdefgh');
  await press('Create');
  expect((await dialog.findByRole('alert')).textContent).toBe(refusal);
  expect(keyField().value).toBe('typed-by-hand-0123456789-abcdefgh');

  await press('Generate');
  await waitFor(() => expect(keyField().value).toBe(KEY));
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());
  const copy = vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValueOnce(new Error('no'));
  await press('Copy');
  expect(await screen.findByText('Copy failed!')).toBeTruthy();
  copy.mockRestore();
  await press('Copy');
  expect(await screen.findByText('Copy successfully!')).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe(KEY);

  await user.type(name, '{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(service.callsOf('apiKeys.create').at(-1)?.body).toEqual({ name: 'Extension', apikey: KEY });
});

test.each([
  ['Read granules', true, { authority: 'READ' }],
  ['Read and write granules', true, { authority: 'WRITE' }],
  ['Read, write and delete granules', true, { authority: 'DELETE' }],
  ['Read and write granules', false, {}],
  ['Read, write and delete granules', false, { mayDelete: true }],
])('a key may %s when that is chosen; the service knows WRITE: %s', async (effect, isServed, sent) => {
  const create = { create: () => stored };
  const groups = isServed
    ? { authorities: () => ['READ' as const, 'WRITE' as const, 'DELETE' as const] }
    : {};
  const { user, service } = open({ ...serviceWith(create), groups });
  await user.click(await screen.findByText('Create Api Key'));
  const dialog = within(await screen.findByRole('dialog'));
  enter(dialog.getByLabelText('Name', { selector: 'input' }), 'Sweeper');
  enter(keyField(), KEY);
  await user.click(dialog.getByRole('combobox', { name: 'The key may' }));
  const offered = () => Array.from(document.querySelectorAll<HTMLElement>('.ant-select-item-option'));
  await waitFor(() => expect(offered()).toHaveLength(isServed ? 3 : 2));
  const option = offered().find(({ title }) => title === effect);
  await user.click(option as HTMLElement);
  await user.click(dialog.getByRole('button', { name: 'Create' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(service.callsOf('apiKeys.create').at(-1)?.body).toEqual({ name: 'Sweeper', apikey: KEY, ...sent });
});

test('the list says what each key may do', async () => {
  const keys = [
    { ...stored, _id: 'a', name: 'Reads', authority: 'READ' as const },
    { ...stored, _id: 'b', name: 'Writes', authority: 'WRITE' as const },
    { ...stored, _id: 'c', name: 'Deletes', mayDelete: true },
  ];
  open(serviceWith({ list: () => keys }));
  for (const [name, may] of [
    ['Reads', 'Read'],
    ['Writes', 'Write'],
    ['Deletes', 'Delete'],
  ] as const) {
    const row = (await screen.findByText(name)).closest('tr');
    expect(row?.cells[7]?.textContent).toBe(may);
  }
});
