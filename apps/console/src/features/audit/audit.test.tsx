import type { AuditEntry } from '@kaptain/contract/audit';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';

const entry = (id: string, values: Partial<AuditEntry> = {}): AuditEntry => ({
  _id: id,
  at: '2026-03-04T05:06:07Z',
  actorId: 'u-admin',
  actor: 'admin',
  ip: '10.0.0.7',
  action: 'user.update',
  target: 'user:u-jane',
  targetName: 'jane',
  result: 'ok',
  requestId: `r-${id}`,
  before: { role: 'USER', groups: ['Sales', 'Finance'] },
  after: { role: 'ADMIN', groups: ['Sales'] },
  ...values,
});
const serviceWith = (list: AuditEntry[], next: string | null = null): Answers => ({
  audit: { list: () => ({ data: list, next }) },
  users: { list: () => ({ data: [{ userId: 'u-jane', username: 'jane', role: 'USER' }] }) },
  groups: { list: () => [{ _id: 'g-1', groupname: 'Sales' }] },
  kapsules: { list: () => [{ _id: 'k-1', name: 'Orders' }] },
});
const open = (answers: Answers, path = '/system/audit') => renderScreen(path, { as: adminUser, answers });
const cellsOf = async (text: string) => {
  const row = (await screen.findByText(text)).closest('tr');
  if (!row) throw new Error('It is not in a row.');
  return within(row)
    .getAllByRole('cell')
    .slice(1)
    .map(({ textContent }) => textContent?.trim());
};
const queries = (calls: { url: string }[]) =>
  calls.map(({ url }) => Object.fromEntries(new URL(url).searchParams)).filter(({ limit }) => limit !== '1');

describe('the audit page', () => {
  test('tells when, who, what, to what and from where', async () => {
    open(serviceWith([entry('1')]));
    expect(await cellsOf('User changed')).toEqual([
      '2026-03-04 05:06:07',
      'admin',
      'User changed',
      'Userjane',
      '10.0.0.7',
    ]);
  });

  test('marks what was refused', async () => {
    open(serviceWith([entry('1', { action: 'session.loginRefused', result: 'refused' })]));
    expect((await cellsOf('Refused'))[2]).toBe('Sign-in refused Refused');
  });

  test('uses the words of the variant, and shows an action it does not know as it is', async () => {
    renderScreen('/system/audit', {
      as: adminUser,
      variant: 'alternative',
      answers: serviceWith([
        entry('1', { action: 'kapsule.create', target: 'kapsule:k-1', targetName: 'Orders' }),
        entry('2', { action: 'granule.remove' }),
        entry('3', { action: 'future.thing' }),
      ]),
    });
    expect((await cellsOf('Data source created'))[3]).toBe('Data sourceOrders');
    expect(screen.getByText('Records deleted')).toBeTruthy();
    expect(screen.getByText('future.thing')).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/kapsule|granule/i);
  });

  test('opens the difference of an entry and keeps it open in the URL', async () => {
    const { user } = open(serviceWith([entry('1')]));
    await user.click(await screen.findByLabelText('Expand row'));
    const lost = await screen.findByText('Finance');
    expect(lost.tagName).toBe('DEL');
    expect(screen.getByText('ADMIN').tagName).toBe('INS');
    expect(screen.getAllByText('Sales').map(({ tagName }) => tagName)).toEqual(['DIV', 'DIV']);
    expect(screen.getByText('r-1')).toBeTruthy();
    expect(location.search).toBe('?open=1');
  });

  test('loads the next page behind the entries that are there', async () => {
    const answers = serviceWith([]);
    const { user, service } = open({
      ...answers,
      audit: {
        list: ({ query }) =>
          query?.before === '1'
            ? { data: [entry('2', { action: 'user.create' })], next: null }
            : { data: [entry('1')], next: '1' },
      },
    });
    await user.click(await screen.findByText('Load more'));
    await screen.findByText('User created');
    expect(screen.getByText('User changed')).toBeTruthy();
    expect(screen.queryByText('Load more')).toBeNull();
    expect(queries(service.callsOf('audit.list'))).toEqual([{ limit: '50' }, { limit: '50', before: '1' }]);
  });

  test('takes its filters from the URL', async () => {
    const path =
      '/system/audit?actor=u-admin&action=user.update&target=user%3Au-jane' +
      '&time=custom&since=2026-03-01T00%3A00%3A00.000Z&until=2026-03-31T00%3A00%3A00.000Z';
    const { service } = open(serviceWith([entry('1')]), path);
    await screen.findByText('10.0.0.7');
    expect(queries(service.callsOf('audit.list'))).toEqual([
      {
        actorId: 'u-admin',
        action: 'user.update',
        target: 'user:u-jane',
        since: '2026-03-01T00:00:00.000Z',
        until: '2026-03-31T00:00:00.000Z',
        limit: '50',
      },
    ]);
    expect(screen.getByLabelText<HTMLInputElement>('From', { selector: 'input' }).value).toBe(
      '2026-03-01T00:00',
    );
  });

  test('does not ask for an action nobody knows', async () => {
    const { service } = open(serviceWith([entry('1')]), '/system/audit?action=nonsense&time=whenever');
    await screen.findByText('10.0.0.7');
    expect(queries(service.callsOf('audit.list'))).toEqual([{ limit: '50' }]);
  });

  test('is filtered by the target of an entry, and the filters can be cleared', async () => {
    const { user, service } = open(serviceWith([entry('1')]));
    await user.click(await screen.findByLabelText('Only entries about jane'));
    await waitFor(() => expect(location.search).toBe('?target=user%3Au-jane'));
    await waitFor(() =>
      expect(queries(service.callsOf('audit.list')).at(-1)).toEqual({ target: 'user:u-jane', limit: '50' }),
    );
    await user.click(screen.getByText('Clear the filters'));
    expect(location.search).toBe('');
  });

  test('is filtered by what is chosen', async () => {
    const { user } = open(serviceWith([entry('1')]));
    await user.type(await screen.findByLabelText('Any action'), 'group del');
    await user.click(await screen.findByTitle('Group deleted'));
    await waitFor(() => expect(location.search).toBe('?action=group.remove'));
  });

  test('asks for the last hour counted from now', async () => {
    const before = Date.now();
    const { service } = open(serviceWith([entry('1')]), '/system/audit?time=1h');
    await screen.findByText('10.0.0.7');
    const [query] = queries(service.callsOf('audit.list'));
    expect(Date.parse(query?.['since'] ?? '')).toBeGreaterThanOrEqual(before - 3_600_000);
    expect(Date.parse(query?.['since'] ?? '')).toBeLessThanOrEqual(Date.now() - 3_600_000);
  });

  test('says what went wrong', async () => {
    let calls = 0;
    const list = () => (calls++ === 0 ? { data: [], next: null } : refuse('INTERNAL', 'Broken inside.'));
    const { user } = open({ ...serviceWith([]), audit: { list } });
    const refresh = await screen.findByText('Refresh');
    if (!screen.queryByText('Broken inside.')) await user.click(refresh);
    expect(await screen.findByText('Broken inside.')).toBeTruthy();
  });

  test('does not exist for a service without an audit trail', async () => {
    const { audit: _, ...rest } = serviceWith([]);
    open(rest);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
    expect(screen.queryByText('Audit')).toBeNull();
  });

  test('is not there for a USER', async () => {
    renderScreen('/system/audit', { as: plainUser, answers: serviceWith([]) });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });
});

test('the System group of the menu has the order of the specification', async () => {
  open({ ...serviceWith([]), settings: { get: () => ({ settings: { apiKey: true, qlikHost: 'CERT' } }) } });
  await screen.findByRole('heading', { name: 'Audit' });
  const names = screen.getAllByRole('menuitem').map(({ textContent }) => textContent ?? '');
  const order = ['Users', 'Groups', 'Api Key', 'System Logs', 'Settings', 'Audit'];
  expect(names.filter((name) => order.includes(name))).toEqual(order.filter((name) => names.includes(name)));
});
