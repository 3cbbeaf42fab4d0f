import type { GranulePage } from '@kaptain/contract/granules';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, pageOf, path, rows, serviceWith } from './granules-fixture.ts';

const open = (answers = serviceWith(), at = path, variant: 'default' | 'alternative' = 'default') =>
  renderScreen(at, { as: plainUser, answers, variant });
const table = (name = 'Granules') => screen.findByRole('table', { name });
const button = (name: string) => screen.findByRole('button', { name });
const queriesOf = (calls: readonly { url: string }[]) =>
  calls.map(({ url }) => Object.fromEntries(new URL(url).searchParams));

describe('the granule page', () => {
  test('says what the kapsule is bound to, and how many records there are', async () => {
    open();
    await screen.findByRole('heading', { name: 'Sales' });
    expect(screen.getByText('SalesComments')).toBeTruthy();
    expect(screen.getByText('OrderID')).toBeTruthy();
    expect(screen.getByText('kaptaindb')).toBeTruthy();
    await table();
    const summary = screen.getByRole('region', { name: 'Summary' });
    const facts = [...summary.querySelectorAll('dl > div')].map(({ textContent }) => textContent);
    expect(facts).toEqual(['Total Records12,345', 'Reloaded12,000', 'Not Reloaded345']);
    expect(within(summary).getByText('97% reloaded into Qlik')).toBeTruthy();
  });

  test('shows key, first fields, user, state and times of a record', async () => {
    open();
    const [, first, second] = within(await table()).getAllByRole('row');
    const texts = (row: HTMLElement | undefined) =>
      [...(row?.querySelectorAll('td') ?? [])].slice(2).map(({ textContent }) => textContent);
    expect(texts(first)).toEqual([
      'A1',
      'Note A1',
      '3.5',
      'mara',
      'Not Reloaded',
      '2026-03-01 10:00:00',
      '2026-03-02 10:00:00',
    ]);
    expect(texts(second)[4]).toBe('Reloaded');
    expect(within(first as HTMLElement).getByText('mara').title).toBe('UserDirectory=CORP; UserId=mara');
  });

  test('asks for one page with the binding of the kapsule, and for the next one ahead', async () => {
    const { service } = open();
    await table();
    await waitFor(() => expect(service.callsOf('granules.list')).toHaveLength(2));
    expect(queriesOf(service.callsOf('granules.list'))).toEqual([
      { sqlType: 'kaptaindb', tableName: 'kaptaindb', sort: '-updatedAt', page: '1', size: '50' },
      { sqlType: 'kaptaindb', tableName: 'kaptaindb', sort: '-updatedAt', page: '2', size: '50' },
    ]);
  });

  test('takes filter, search, order, page, size and open row from the URL', async () => {
    const { service } = open(
      serviceWith({ history: () => [] }),
      `${path}?q=x%20y&show=notReloaded&sort=key&page=2&size=20&open=id-A1`,
    );
    await table();
    expect(queriesOf(service.callsOf('granules.list'))[0]).toMatchObject({
      q: 'x y',
      reloaded: 'false',
      sort: 'key',
      page: '2',
      size: '20',
    });
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('x y');
    expect(screen.getByRole('figure', { name: 'Data' }).textContent).toContain('"Comment": "Note A1"');
  });

  test.each([
    ['Reloaded', 'reloaded', 'true'],
    ['Not Reloaded', 'notReloaded', 'false'],
  ])('filters by %s from the first page on', async (label, show, reloaded) => {
    const { user, service } = open(serviceWith(), `${path}?page=2`);
    await table();
    await user.click(screen.getByRole('radio', { name: label }).closest('label') as HTMLElement);
    await waitFor(() =>
      // The page behind it is fetched ahead, so it need not be the last call.
      expect(queriesOf(service.callsOf('granules.list'))).toContainEqual(
        expect.objectContaining({ reloaded, page: '1' }),
      ),
    );
    expect(location.search).toBe(`?show=${show}`);
  });

  test('searches after a pause, once', async () => {
    const { user, service } = open();
    await table();
    await user.type(screen.getByRole('searchbox'), 'Übung');
    const searched = () =>
      queriesOf(service.callsOf('granules.list')).filter(({ q, page }) => q !== undefined && page === '1');
    await waitFor(() => expect(searched().map(({ q }) => q)).toEqual(['Übung']));
    expect(new URLSearchParams(location.search).get('q')).toBe('Übung');
  });

  test('sorts by the service', async () => {
    const { user, service } = open();
    await table();
    await user.click(screen.getByRole('columnheader', { name: 'Key' }));
    await waitFor(() =>
      expect(queriesOf(service.callsOf('granules.list')).at(-1)).toMatchObject({ sort: 'key' }),
    );
    expect(location.search).toBe('?sort=key');
  });

  test('says “more than” when not all matches were counted', async () => {
    open(serviceWith({ list: () => pageOf({ total: 10_000, totalIsExact: false }) }), `${path}?q=a`);
    await table();
    expect(screen.getByText('more than 10,000 granules')).toBeTruthy();
  });

  test('shows the rest of a page that was too large for one answer, each row once', async () => {
    const parts: Record<string, Partial<GranulePage>> = {
      '': { data: rows.slice(0, 1), next: '1' },
      '1': { data: rows.slice(0, 2), next: '2' },
      '2': { data: rows.slice(2) },
    };
    const list = ({ query }: { query?: { next?: string | undefined } }) =>
      pageOf({ total: 3, ...parts[query?.next ?? ''] });
    const { user } = open(serviceWith({ list }));
    await screen.findByText('These granules are large: 1 of the 3 of this page are shown.');
    await user.click(await button('Show more'));
    await screen.findByText('These granules are large: 2 of the 3 of this page are shown.');
    await user.click(await button('Show more'));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull());
    const keys = within(await table())
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelectorAll('td')[2]?.textContent);
    expect(keys).toEqual(['A1', 'A2', 'A3']);
  });

  test('tells how large data is that is not sent, and fetches earlier states when asked for', async () => {
    const state = (version: number, Comment: string) => ({
      version,
      user: 'UserId=mara',
      data: { Comment },
      updatedAt: `2026-03-0${version}T10:00:00Z`,
      deletedAt: null,
      deletedBy: null,
    });
    const history = ({ query }: { query?: { before?: unknown } }) =>
      query?.before === undefined ? [state(3, 'c'), state(2, 'b')] : [state(1, 'a')];
    const data = [granule('A1', { data: {}, dataBytes: 10 * 1024 * 1024 })];
    const { user, service } = open(
      serviceWith({ list: () => pageOf({ data }), history }),
      `${path}?open=id-A1`,
    );
    await screen.findByText(/^The data has 10.* MB, which is too much to be shown here/);
    const events = () =>
      screen
        .queryAllByText(/^(Created|Changed)$/, { selector: 'strong' })
        .map(({ textContent }) => textContent);
    await waitFor(() => expect(events()).toEqual(['Changed']));
    await user.click(await button('Show earlier changes'));
    await waitFor(() => expect(events()).toEqual(['Changed', 'Changed', 'Created']));
    expect(queriesOf(service.callsOf('granules.history'))).toEqual([{}, { before: '2' }]);
    expect(screen.queryByRole('button', { name: 'Show earlier changes' })).toBeNull();
  });

  test('opens a row with its data and its history', async () => {
    const state = { user: 'UserDirectory=CORP; UserId=jo', deletedAt: null, deletedBy: null };
    const history = () => [
      { ...state, version: 2, data: { Comment: 'new' }, updatedAt: '2026-03-02T10:00:00Z' },
      { ...state, version: 1, data: { Comment: 'old' }, updatedAt: '2026-03-01T10:00:00Z' },
    ];
    const { user } = open(serviceWith({ history }));
    const [first] = within(await table()).getAllByRole('button', { name: /expand/i });
    await user.click(first as HTMLElement);
    expect(await screen.findByRole('figure', { name: 'Data' })).toBeTruthy();
    expect(location.search).toBe('?open=id-A1');
    expect((await screen.findByText('Changed')).closest('li')?.textContent).toContain('by jo');
    expect(screen.getByText('old').tagName).toBe('DEL');
    expect(screen.getByText('new').tagName).toBe('INS');
    expect(screen.getByText('Created', { selector: 'strong' })).toBeTruthy();
  });

  test('remembers the chosen columns of each kapsule', async () => {
    localStorage.setItem('kaptain.columns.k1', '["Done","gone"]');
    const { user } = open();
    await table();
    const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(titles()).toContain('Done');
    expect(titles()).not.toContain('Comment');
    await user.click(await button('Columns'));
    await user.click(await screen.findByRole('checkbox', { name: 'Amount' }));
    await waitFor(() => expect(titles()).toContain('Amount'));
    expect(localStorage.getItem('kaptain.columns.k1')).toBe('["Amount","Done"]');
  });

  test('draws the changes of each day, with the days that had none', async () => {
    const today = new Date().toISOString().slice(0, 10);
    open(serviceWith({ changesPerDay: () => [{ day: today, changes: 7 }] }));
    const chart = await screen.findByRole('region', { name: 'Changes per day' });
    expect(within(chart).getAllByRole('row')).toHaveLength(31);
    const slider = within(chart).getByRole('slider');
    expect(slider.getAttribute('aria-valuetext')).toBe(`${today}: 7 changes`);
  });

  test('shows the load script', async () => {
    const { user } = open(serviceWith({}, { dataApi: { loadScript: () => 'LOAD * FROM x;' } }));
    await user.click(await button('Use in Qlik'));
    expect(await screen.findByText('LOAD * FROM x;')).toBeTruthy();
  });

  test('never says kapsule or granule in the alternative variant', async () => {
    open(serviceWith(), path, 'alternative');
    await table('Records');
    expect(document.body.textContent).not.toMatch(/kapsule|granule|komment|kaptain/i);
  });
});

describe('a list that cannot be loaded', () => {
  test('is empty, silently, and can be tried again', async () => {
    let isBroken = true;
    const list = () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : pageOf());
    const { user } = open(serviceWith({ list }));
    await screen.findByText('No granules to show');
    expect(screen.queryByText('The database sleeps.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    isBroken = false;
    await user.click(await button('Retry'));
    expect(await table()).toBeTruthy();
  });
});

describe('a kapsule that is not there', () => {
  test('says so and offers to try again', async () => {
    open({ kapsules: { get: () => refuse('NOT_FOUND', 'There is no such kapsule.') } });
    expect(await screen.findByText('There is no such kapsule.')).toBeTruthy();
    expect(await button('Retry')).toBeTruthy();
  });
});

describe('a service that answers with the plain list', () => {
  const list = [
    ...rows,
    ...Array.from({ length: 60 }, (_, index) => granule(`B${index}`, { reloaded: index % 2 === 0 })),
    granule('ZZ', { data: { deep: [{ Comment: 'Eine ÜBERRASCHUNG' }] } }),
  ];
  const plain = () => serviceWith({ list: () => list });
  const keys = async () =>
    within(await table())
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.querySelector('strong')?.textContent);

  test('is paged, counted and sorted in memory, without our extras', async () => {
    const { service } = open(plain(), `${path}?sort=key&size=20&page=4`);
    expect(await keys()).toEqual(['B57', 'B58', 'B59', 'ZZ']);
    expect(screen.getByRole('region', { name: 'Summary' }).textContent).toContain('Total Records64');
    expect(service.callsOf('granules.list')).toHaveLength(1);
    for (const name of ['Export', 'Deleted', 'Use in Qlik'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(service.callsOf('granules.changesPerDay')).toEqual([]);
  });

  test('is searched over the whole record in any case, without asking again', async () => {
    const { user, service } = open(plain());
    await table();
    await user.type(screen.getByRole('searchbox'), 'überraschung');
    await waitFor(async () => expect(await keys()).toEqual(['ZZ']));
    expect(service.callsOf('granules.list')).toHaveLength(1);
  });

  test('lets only rows with data be opened', async () => {
    open(plain(), `${path}?q=Note%20A&sort=key`);
    await table();
    expect(screen.getAllByRole('button', { name: /expand/i })).toHaveLength(2);
  });
});
