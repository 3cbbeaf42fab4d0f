import type { AuditEntry } from '@kaptain/contract/audit';
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { visitedLinks } from '../../testing/visited-links.ts';

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
  return Array.from(row?.cells ?? [], ({ textContent }) => textContent?.trim()).slice(1);
};
const queries = (calls: { url: string }[]) =>
  calls.map(({ url }) => Object.fromEntries(new URL(url).searchParams)).filter(({ limit }) => limit !== '1');

describe('the audit page', () => {
  test('says why it could not be loaded; then tells when, who, what, to what and from where, and what was refused, and opens the difference', async () => {
    const data = [
      entry('1'),
      entry('2', { action: 'session.loginRefused', result: 'refused', before: null, after: null }),
    ];
    let isBroken = true;
    const { user } = open({
      ...serviceWith([]),
      audit: {
        // A call for one entry only finds out whether the service has an audit trail.
        list: ({ query }) =>
          isBroken && Number(query?.limit) !== 1
            ? refuse('INTERNAL', 'Broken inside.')
            : { data, next: null },
      },
    });
    expect(await screen.findByText('Broken inside.')).toBeTruthy();
    isBroken = false;
    await user.click(screen.getByText('Refresh'));
    expect(await cellsOf('User changed')).toEqual([
      '2026-03-04 05:06:07',
      'admin',
      'User changed',
      'Userjane',
      '10.0.0.7',
    ]);
    expect((await cellsOf('Refused'))[2]).toBe('Sign-in refused Refused');
    await user.click(screen.getByLabelText('Show details of User changed, jane, 2026-03-04 05:06:07'));
    const lost = await screen.findByText('Finance');
    expect(lost.tagName).toBe('DEL');
    expect(screen.getByText('ADMIN').tagName).toBe('INS');
    expect(screen.getAllByText('Sales').map(({ tagName }) => tagName)).toEqual(['DIV', 'DIV']);
    expect(screen.getByText('r-1')).toBeTruthy();
    expect(location.search).toBe('?open=1');
  });

  const visited = visitedLinks();

  test('is filtered by the target of an entry, by what is chosen and searched for, and exported like that', async () => {
    const { user, service } = open({
      ...serviceWith([entry('1')]),
      downloads: { ticket: ({ body }) => ({ url: `${body.path}&ticket=t` }) },
    });
    await user.click(await screen.findByLabelText('Only entries about jane'));
    await waitFor(() => expect(location.search).toBe('?target=user%3Au-jane'));
    await waitFor(() =>
      expect(queries(service.callsOf('audit.list')).at(-1)).toEqual({ target: 'user:u-jane', limit: '50' }),
    );
    await user.click(screen.getByText('Clear the filters'));
    expect(location.search).toBe('');
    await user.type(screen.getByLabelText('Any action'), 'group del');
    await user.click(await screen.findByTitle('Group deleted'));
    await waitFor(() => expect(location.search).toBe('?action=group.remove'));
    const filter = { q: 'corp\\JANE', action: 'group.remove' };
    enter(screen.getByPlaceholderText('Search in all entries'), filter.q);
    await waitFor(() =>
      expect(queries(service.callsOf('audit.list')).at(-1)).toEqual({ ...filter, limit: '50' }),
    );
    await user.click(screen.getByText('Export CSV'));
    await screen.findByRole('dialog', {
      name: 'Are you sure to export the entries that match the filters as CSV?',
    });
    expect(service.callsOf('downloads.ticket')).toEqual([]);
    await user.click(screen.getByText('Yes'));
    await waitFor(() => expect(visited).toHaveLength(1));
    const address = new URL(visited[0] ?? '', location.origin);
    expect([address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
      '/api/audit/export',
      { ...filter, ticket: 't' },
    ]);
  });

  test('takes its filters from the URL, loads the next page behind the entries that are there, and says what went wrong', async () => {
    let isBroken = false;
    const { user, service } = open(
      {
        ...serviceWith([]),
        audit: {
          list: ({ query }) => {
            if (isBroken) return refuse('INTERNAL', 'Broken inside.');
            return query?.before === '1'
              ? { data: [entry('2', { action: 'user.create' })], next: '2' }
              : { data: [entry('1')], next: '1' };
          },
        },
      },
      '/system/audit?actor=u-admin&time=custom&since=2026-03-01T00%3A00%3A00.000Z',
    );
    await user.click(await screen.findByText('Load more'));
    await screen.findByText('User created');
    expect(screen.getByText('User changed')).toBeTruthy();
    const filter = { actorId: 'u-admin', since: '2026-03-01T00:00:00.000Z', limit: '50' };
    expect(queries(service.callsOf('audit.list'))).toEqual([filter, { ...filter, before: '1' }]);
    expect(screen.getByLabelText<HTMLInputElement>('From', { selector: 'input' }).value).toBe(
      '2026-03-01T00:00',
    );
    isBroken = true;
    await user.click(screen.getByText('Load more'));
    expect(await screen.findByText('Broken inside.')).toBeTruthy();
  });

  test('uses the words of the variant', async () => {
    renderScreen('/system/audit', {
      as: adminUser,
      variant: 'alternative',
      answers: serviceWith([
        entry('1', { action: 'kapsule.create', target: 'kapsule:k-1', targetName: 'Orders' }),
      ]),
    });
    expect((await cellsOf('Data source created'))[3]).toBe('Data sourceOrders');
    expect(document.body.textContent).not.toMatch(/kapsule|granule/i);
  });

  test('does not exist for a service without an audit trail', async () => {
    const { audit: _, ...rest } = serviceWith([]);
    renderScreen('/system/audit', { as: adminUser, answers: rest, isMenuOpen: true });
    expect(await screen.findByText('Page not found')).toBeTruthy();
    expect(screen.getByText('Groups')).toBeTruthy();
    expect(screen.queryByText('Audit')).toBeNull();
  });
});
