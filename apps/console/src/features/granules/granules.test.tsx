import type { GranulePage } from '@kaptain/contract/granules';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, pageOf, path, rows, serviceWith } from './granules-fixture.ts';

const open = (answers = serviceWith(), at = path, variant: 'default' | 'alternative' = 'default') =>
  renderScreen(at, { as: plainUser, answers, variant });
const table = (name = 'Granules') => screen.findByRole<HTMLTableElement>('table', { name });
const textsOf = async (row: number) => {
  const cells = (await table()).tBodies[0]?.querySelectorAll<HTMLTableRowElement>('tr[data-row-key]')[row]
    ?.cells;
  return Array.from(cells ?? [], ({ textContent }) => textContent).slice(2);
};
const keys = async () =>
  Array.from((await table()).querySelectorAll('tr[data-row-key] strong'), ({ textContent }) => textContent);
const queriesOf = (calls: readonly { url: string }[]) =>
  calls.map(({ url }) => Object.fromEntries(new URL(url).searchParams));

describe('the granule page', () => {
  test('says what the kapsule is bound to, how many records there are and how they changed, and shows a page of them', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const { user, service } = open(
      serviceWith(
        { changesPerDay: () => [{ day: today, changes: 7 }] },
        { dataApi: { loadScript: () => 'LOAD * FROM x;' } },
      ),
    );
    await screen.findByRole('heading', { name: 'Sales' });
    for (const fact of ['SalesComments', 'OrderID', 'kaptaindb']) expect(screen.getByText(fact)).toBeTruthy();
    expect(await textsOf(0)).toEqual([
      'A1',
      'Note A1',
      '3.5',
      'mara',
      'Not Reloaded',
      '2026-03-01 10:00:00',
      '2026-03-02 10:00:00',
    ]);
    expect((await textsOf(1))[4]).toBe('Reloaded');
    await user.hover(screen.getAllByText('mara')[0] as HTMLElement);
    expect(await screen.findByRole('tooltip')).toHaveProperty(
      'textContent',
      'UserDirectory=CORP; UserId=mara',
    );
    const summary = screen.getByRole('region', { name: 'Summary' });
    expect(Array.from(summary.querySelectorAll('dl > div'), ({ textContent }) => textContent)).toEqual([
      'Total Records12,345',
      'Reloaded12,000',
      'Not Reloaded345',
    ]);
    expect(within(summary).getByText('97% reloaded into Qlik')).toBeTruthy();
    const chart = within(await screen.findByRole('region', { name: 'Changes per day' }));
    expect(chart.getByRole('slider').getAttribute('aria-valuetext')).toBe(`${today}: 7 changes`);

    // One page with the binding of the kapsule, and the next one ahead.
    await waitFor(() => expect(service.callsOf('granules.list')).toHaveLength(2));
    const first = { sqlType: 'kaptaindb', tableName: 'kaptaindb', sort: '-updatedAt', page: '1', size: '50' };
    expect(queriesOf(service.callsOf('granules.list'))).toEqual([first, { ...first, page: '2' }]);

    await user.click(await screen.findByText('Use in Qlik'));
    expect(await screen.findByText('LOAD * FROM x;')).toBeTruthy();
    await user.click(screen.getByText('Copy', { selector: 'figure button *' }));
    expect(await screen.findByText('Copy successfully!')).toBeTruthy();
    expect(await navigator.clipboard.readText()).toBe('LOAD * FROM x;');
  });

  test('searches once after a pause, filters and sorts by the service, from the first page on, and keeps it in the URL', async () => {
    const list = ({ query }: { query?: { reloaded?: unknown } }) =>
      query?.reloaded === 'true' ? pageOf({ data: [], total: 0 }) : pageOf();
    const { user, service } = open(serviceWith({ list }), `${path}?page=2`);
    await table();
    const asked = () => queriesOf(service.callsOf('granules.list'));
    for (const [label, show, reloaded] of [
      ['Reloaded', 'reloaded', 'true'],
      ['Not Reloaded', 'notReloaded', 'false'],
    ] as const) {
      await user.click(screen.getByRole('radio', { name: label }).closest('label') as HTMLElement);
      // The page behind it is fetched ahead, so this need not be the last call.
      await waitFor(() => expect(asked()).toContainEqual(expect.objectContaining({ reloaded, page: '1' })));
      expect(location.search).toBe(`?show=${show}`);
      if (show === 'notReloaded') continue;
      const none = (await screen.findByText('No granule is like that')).closest('section');
      await user.click(within(none as HTMLElement).getByText('Clear the filters'));
      expect(await keys()).toEqual(['A1', 'A2', 'A3']);
      expect(location.search).toBe('');
    }
    await user.click(screen.getByRole('columnheader', { name: 'Key' }));
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ sort: 'key' }));
    expect(location.search).toBe('?show=notReloaded&sort=key');
    // Both before the pause ends, on a slow machine too.
    for (const value of ['Ü', 'Übung'])
      fireEvent.change(screen.getByRole('searchbox'), { target: { value } });
    const searched = () => asked().filter(({ q, page }) => q !== undefined && page === '1');
    await waitFor(() => expect(searched().map(({ q }) => q)).toEqual(['Übung']));
    expect(new URLSearchParams(location.search).get('q')).toBe('Übung');
  });

  test('takes filter, search, order, page and open row from the URL, and the columns from the last visit', async () => {
    const stored = 'kaptain.table.u-jane.granules.k1';
    localStorage.setItem(stored, '{"field:Done":true,"field:Comment":false,"field:gone":true}');
    const { user, service } = open(
      serviceWith({
        history: () => [],
        list: () => pageOf({ total: 10_000, totalIsExact: false }),
        countMatching: () => refuse('TOO_MANY_REQUESTS', 'Too many counts are in progress.'),
      }),
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
    expect(await screen.findByText('more than 10,000 granules (first 500 pages)')).toBeTruthy();

    const titles = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    // Alt with a page key turns the page of the table, in which Tab goes on.
    await user.keyboard('{Alt>}{PageDown}{/Alt}');
    await waitFor(() => expect(location.search).toContain('page=3'));
    await user.tab();
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Select all of this page');
    await user.keyboard('{Alt>}{PageUp}{PageUp}{/Alt}');
    await waitFor(() => expect(location.search).not.toContain('page='));

    expect(titles()).toContain('Done');
    expect(titles()).not.toContain('Comment');
    await user.click(screen.getByText('Columns'));
    await user.click(await screen.findByRole('checkbox', { name: 'Amount' }));
    await waitFor(() => expect(titles()).not.toContain('Amount'));
    expect(JSON.parse(localStorage.getItem(stored) ?? '')).toMatchObject({ 'field:Amount': false });
  });

  test('is empty, silently, when the list cannot be loaded; tried again, it shows the rest of a page that was too large for one answer, and opens a row with its history and earlier states', async () => {
    const state = (version: number, Comment: string) => ({
      version,
      user: 'UserDirectory=CORP; UserId=jo',
      data: { Comment },
      updatedAt: `2026-03-0${version}T10:00:00Z`,
      deletedAt: null,
      deletedBy: null,
    });
    const history = ({ query }: { query?: { before?: unknown } }) =>
      query?.before === undefined ? [state(3, 'c'), state(2, 'b')] : [state(1, 'a')];
    const large = [granule('A1', { data: {}, dataBytes: 10 * 1024 * 1024 }), ...rows.slice(1)];
    const parts: Record<string, Partial<GranulePage>> = {
      '': { data: large.slice(0, 1), next: '1' },
      '1': { data: large.slice(0, 2), next: '2' },
      '2': { data: large.slice(2) },
    };
    let isBroken = true;
    const list = ({ query }: { query?: { next?: string | undefined } }) =>
      isBroken
        ? refuse('UNAVAILABLE', 'The database sleeps.')
        : pageOf({ total: 3, ...parts[query?.next ?? ''] });
    const { user, service } = open(serviceWith({ list, history }));
    await screen.findByText('No granules to show');
    expect(screen.queryByText('The database sleeps.')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
    isBroken = false;
    await user.click(screen.getByText('Retry'));
    for (const count of [1, 2]) {
      await screen.findByText(`These granules are large: ${count} of the 3 of this page are shown.`);
      await user.click(screen.getByText('Show more'));
    }
    await waitFor(() => expect(screen.queryByText('Show more')).toBeNull());
    expect(await keys()).toEqual(['A1', 'A2', 'A3']);

    await user.click(screen.getByLabelText('Show details of A1'));
    expect(location.search).toBe('?open=id-A1');
    await screen.findByText(/^The data has 10.* MB, which is too much to be shown here/);
    const events = () =>
      screen
        .queryAllByText(/^(Created|Changed)$/, { selector: 'strong' })
        .map(({ textContent }) => textContent);
    await waitFor(() => expect(events()).toEqual(['Changed']));
    expect(screen.getByText('Changed').closest('li')?.textContent).toContain('by jo');
    expect([screen.getByText('b').tagName, screen.getByText('c').tagName]).toEqual(['DEL', 'INS']);
    await user.click(screen.getByText('Show earlier changes'));
    await waitFor(() => expect(events()).toEqual(['Changed', 'Changed', 'Created']));
    expect(queriesOf(service.callsOf('granules.history'))).toEqual([{}, { before: '2' }]);
    expect(screen.queryByText('Show earlier changes')).toBeNull();
  });

  test('never says kapsule or granule in the alternative variant', async () => {
    open(serviceWith(), path, 'alternative');
    await table('Records');
    expect(document.body.textContent).not.toMatch(/kapsule|granule|komment|kaptain/i);
  });

  test('of a kapsule that is not there says so and offers to try again', async () => {
    open({ kapsules: { get: () => refuse('NOT_FOUND', 'There is no such kapsule.') } });
    expect(await screen.findByText('There is no such kapsule.')).toBeTruthy();
    expect(screen.getByText('Retry')).toBeTruthy();
  });

  test('works in memory on the plain list of another service, without our extras, asks for it once, and again after all of it is deleted, whatever that answers', async () => {
    const list = [
      ...rows,
      ...Array.from({ length: 60 }, (_, index) => granule(`B${index}`)),
      granule('ZZ', { data: { deep: [{ Comment: 'Eine ÜBERRASCHUNG' }] } }),
    ];
    const { service, user } = renderScreen(`${path}?sort=key&size=20&page=4`, {
      as: adminUser,
      answers: serviceWith({ list: () => list, remove: () => new Response('OK') }),
    });
    expect(await keys()).toEqual(['B57', 'B58', 'B59', 'ZZ']);
    expect(screen.getByRole('region', { name: 'Summary' }).textContent).toContain('Total Records64');
    const about = within(screen.getByRole('region', { name: 'About this kapsule' }));
    await waitFor(() => expect(about.queryByText('Schedule')).toBeNull());
    expect(about.getByText('Owner')).toBeTruthy();
    for (const name of ['Export', 'Deleted', 'Use in Qlik', 'Edit kapsule'])
      expect(screen.queryByText(name)).toBeNull();
    expect(service.callsOf('granules.list')).toHaveLength(1);
    await user.click(screen.getByLabelText('Select all of this page'));
    await user.click(await screen.findByText('Select all 64 matching'));
    await user.click(await screen.findByText('Delete Selection (64)'));
    await user.click(await screen.findByText('Yes'));
    expect(await screen.findByText('64 granules are deleted.')).toBeTruthy();
    const body = service.callsOf('granules.remove')[0]?.body as { granuleIds: string[] };
    expect(body.granuleIds).toEqual(expect.arrayContaining(list.map(({ _id }) => _id)));
    await waitFor(() => expect(service.callsOf('granules.list')).toHaveLength(2));

    enter(screen.getByRole('searchbox'), 'überraschung');
    await waitFor(async () => expect(await keys()).toEqual(['ZZ']));
    // Only rows with data can be opened.
    enter(screen.getByRole('searchbox'), 'id-A');
    await waitFor(async () => expect(await keys()).toEqual(['A1', 'A2', 'A3']));
    const openers = screen.getAllByRole('button', { name: /^Show details of/ });
    expect(openers.map((opener) => opener.getAttribute('aria-label'))).toEqual([
      'Show details of A1',
      'Show details of A2',
    ]);
    expect(service.callsOf('granules.list')).toHaveLength(2);
    expect(service.callsOf('granules.changesPerDay')).toEqual([]);
  });
});
