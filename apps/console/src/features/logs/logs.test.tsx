import type { LogEntry } from '@kaptain/contract/logs';
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { formatDuration, timeConsuming } from './time-consuming.ts';

const entry = (name: string, values: Partial<LogEntry> = {}): LogEntry => ({
  _id: `id-${name}`,
  name,
  type: 'normal',
  lastRunAt: '2026-03-04T05:06:07Z',
  lastFinishedAt: '2026-03-04T05:06:08.500Z',
  qlikUser: { userDirectory: 'CORP', userId: 'mara' },
  appId: 'a1',
  status: 'succeeded',
  ...values,
});
const pageOf = (...data: LogEntry[]) => ({ data, total: data.length, totalIsExact: true });
const rowOf = async (name: string) => {
  const [first] = await screen.findAllByText(name, { selector: 'strong' });
  const row = first?.closest('tr');
  if (!row) throw new Error('It is not in a row.');
  return within(row);
};
const asked = (calls: { url: string }[]) =>
  calls.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
const serving = (...data: LogEntry[]): Answers => ({ logs: { list: () => pageOf(...data) } });

describe('the Logs page', () => {
  test('has the columns of the specification, the state beside the name, and opens the full JSON', async () => {
    const failed = entry('Reload Sales', { status: 'failed', failReason: 'No field.', lastFinishedAt: null });
    const { user } = renderScreen('/system/logs', {
      as: plainUser,
      answers: serving(entry('Reload Orders'), failed),
    });
    const cells = (await rowOf('Reload Orders')).getAllByRole('cell').map(({ textContent }) => textContent);
    expect(
      screen
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent)
        .filter(Boolean),
    ).toEqual([
      'Log ID',
      'Name',
      'Type',
      'User ID',
      'LastRunAt',
      'LastFinishedAt',
      'timeConsuming',
      'Action',
    ]);
    expect(cells.slice(1)).toEqual([
      'id-Reload Orders',
      'Reload OrdersSucceeded',
      'normal',
      'mara',
      '2026-03-04 05:06:07',
      '2026-03-04 05:06:08',
      '1500 ms',
      '',
    ]);
    const row = await rowOf('Reload Sales');
    expect(row.getByText('0 ms')).toBeTruthy();
    await user.click(row.getByLabelText('Expand row'));
    expect(await screen.findByText('No field.', { selector: '.ant-alert-title' })).toBeTruthy();
    expect(screen.getByRole('figure').textContent).toContain('"failReason": "No field."');
    expect(location.search).toBe('?open=id-Reload+Sales');
  });

  test('takes search, status, time and page from the URL, and puts them there', async () => {
    const { user, service } = renderScreen('/system/logs?q=sales&status=failed&time=24h&page=3&size=20', {
      as: plainUser,
      answers: serving(entry('Reload Sales')),
    });
    await rowOf('Reload Sales');
    const [query] = asked(service.callsOf('logs.list')).filter(({ size }) => size === '20');
    expect(query).toMatchObject({ q: 'sales', status: 'failed', page: '3', size: '20' });
    expect(Date.parse(query?.['from'] ?? '')).toBeLessThan(Date.now() - 86_000_000);
    const search = screen.getByPlaceholderText('Search by log name');
    await user.clear(search);
    await user.type(search, 'oRd');
    await waitFor(() => expect(location.search).toBe('?status=failed&time=24h&size=20&q=oRd'));
    await user.click(screen.getByText('Clear the filters'));
    await waitFor(() => expect(location.search).toBe('?size=20'));
  });

  test('shows a script log where there is one, and opens it in a new window by ticket', async () => {
    const opened = { opener: {}, location: { replace: vi.fn<(url: string) => void>() }, close() {} };
    vi.stubGlobal('open', () => opened);
    const { user, service } = renderScreen('/system/logs', {
      as: plainUser,
      answers: {
        logs: { list: () => pageOf(entry('With', { qScriptLogFile: 'x.log' }), entry('Without')) },
        downloads: { ticket: () => ({ url: '/api/log/download/id-With?ticket=t' }) },
      },
    });
    expect((await rowOf('Without')).queryByLabelText(/Download/)).toBeNull();
    await user.click(screen.getByLabelText('Download ScriptLogFile of With'));
    await waitFor(() =>
      expect(opened.location.replace).toHaveBeenCalledWith('/api/log/download/id-With?ticket=t'),
    );
    expect(service.callsOf('downloads.ticket')[0]?.body).toEqual({ path: '/api/log/download/id-With' });
    expect(screen.queryByText('Start Reload')).toBeNull();
    expect(screen.queryByLabelText(/again/)).toBeNull();
  });

  test('shows how far a run is while it runs, and lets an ADMIN cancel it, run it again and start another', async () => {
    let progress = 0.42;
    const answers: Answers = {
      logs: {
        list: () =>
          pageOf(entry('Live', { status: 'running', progress, lastFinishedAt: null }), entry('Over')),
      },
      kapsules: { list: () => [{ _id: 'k1', name: 'Orders', appId: 'app-7' }] },
      jobs: {
        cancel: () => entry('Live', { status: 'cancelled' }),
        rerun: () => entry('Over', { status: 'queued' }),
        start: () => entry('Reload Orders', { status: 'queued' }),
      },
    };
    const { user, service } = renderScreen('/system/logs', { as: adminUser, answers });
    expect((await rowOf('Live')).getByText('42%')).toBeTruthy();
    progress = 0.77;
    expect(await screen.findByText('77%')).toBeTruthy();

    await user.click(screen.getByLabelText('Cancel Live'));
    await user.click(await screen.findByText('Yes'));
    await waitFor(() => expect(service.callsOf('jobs.cancel')[0]?.url).toContain('/api/job/id-Live/cancel'));
    await user.click(screen.getByLabelText('Run Over again'));
    expect(await screen.findByText('Over is queued.')).toBeTruthy();

    await user.click(screen.getByText('Start Reload'));
    await user.click(await screen.findByText('Start', { selector: '.ant-modal button span' }));
    expect(await screen.findByText('Please input the app ID!')).toBeTruthy();
    await user.click(screen.getByLabelText('Kapsule'));
    await user.click(await screen.findByTitle('Orders'));
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('App ID').value).toBe('app-7'));
    await user.click(screen.getByText('Start', { selector: '.ant-modal button span' }));
    await waitFor(() =>
      expect(service.callsOf('jobs.start')[0]?.body).toEqual({
        appId: 'app-7',
        kapsuleId: 'k1',
        partial: false,
      }),
    );
  });

  test('takes the app of the chosen kapsule, and never keeps the one of another', async () => {
    const kapsules = [
      { _id: 'k1', name: 'Orders', appId: 'app-7' },
      { _id: 'k2', name: 'Targets' },
    ];
    const { user, service } = renderScreen('/system/logs', {
      as: adminUser,
      answers: { ...serving(entry('Over')), kapsules: { list: () => kapsules } },
    });
    await user.click(await screen.findByText('Start Reload'));
    const appId = await screen.findByLabelText<HTMLInputElement>('App ID');
    const choose = async (name: string) => {
      await user.click(screen.getByLabelText('Kapsule'));
      await user.click(await screen.findByTitle(name));
    };
    await choose('Orders');
    await waitFor(() => expect([appId.value, appId.disabled]).toEqual(['app-7', true]));
    await choose('Targets');
    await waitFor(() => expect([appId.value, appId.disabled]).toEqual(['', true]));
    const missing = 'Targets has no app yet: set it under Schedules.';
    expect(await screen.findByText(missing)).toBeTruthy();
    await user.click(screen.getByText('Start', { selector: '.ant-modal button span' }));
    await choose('Orders');
    await waitFor(() => expect(screen.queryByText(missing)).toBeNull());
    expect(service.callsOf('jobs.start')).toEqual([]);
  });

  test('lets an ADMIN say when the app of a kapsule is reloaded', async () => {
    const schedule = (kapsulename: string, cron: string | null) => ({
      kapsuleId: `id-${kapsulename}`,
      kapsulename,
      appId: cron && 'app-7',
      cron,
      partial: false,
      nextRunAt: cron && '2026-03-05T05:00:00Z',
    });
    const { user, service } = renderScreen('/system/logs', {
      as: adminUser,
      answers: {
        ...serving(entry('Over')),
        jobs: {
          apps: () => [{ id: 'app-8', name: 'Sales' }],
          schedules: () => [schedule('Orders', '0 5 * * *'), schedule('Targets', null)],
          setSchedule: ({ body }) => ({ ...schedule('Orders', body.cron ?? null), partial: true }),
        },
      },
    });
    await user.click(await screen.findByText('Schedules'));
    const list = within(await screen.findByRole('list', { name: 'Schedules' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Orders0 5 * * *next 2026-03-05 05:00:00',
    ]);
    await user.click(list.getByText('Orders'));
    const when = screen.getByLabelText<HTMLInputElement>('When');
    await waitFor(() => expect(when.value).toBe('0 5 * * *'));
    // A dialog that has just opened may take the focus once more.
    await waitFor(() => user.clear(screen.getByLabelText('App ID')));
    await user.clear(when);
    await user.type(when, '30 5 * * 1-5');
    await user.click(screen.getByText('Save'));
    expect(await screen.findByText('Please input the app ID!')).toBeTruthy();
    await user.type(screen.getByLabelText('App ID'), 'sal');
    await user.click(await screen.findByTitle('Sales (app-8)'));
    await user.click(screen.getByText('Save'));
    expect(await screen.findByText('The schedule of Orders is saved.')).toBeTruthy();
    const [call] = service.callsOf('jobs.setSchedule');
    expect([call?.url.endsWith('/api/job/schedule/id-Orders'), call?.body]).toEqual([
      true,
      { appId: 'app-8', cron: '30 5 * * 1-5', partial: false },
    ]);
  });

  test('draws how long the last good runs took, with a table for those who can’t see it', async () => {
    const at = (hour: number, seconds: number): Partial<LogEntry> => ({
      _id: `run-${hour}`,
      lastRunAt: `2026-03-04T0${hour}:00:00Z`,
      lastFinishedAt: `2026-03-04T0${hour}:00:${seconds}Z`,
    });
    const name = 'Reload Sales';
    const runs = [
      entry(name, at(5, 40)),
      entry(name, { ...at(4, 59), status: 'failed' }),
      entry(name, at(3, 20)),
    ];
    renderScreen('/system/logs', { as: plainUser, answers: serving(...runs, entry(name, at(2, 10))) });
    const chart = within(await screen.findByRole('region', { name: 'Duration of Reload Sales' }));
    expect(chart.getByText('3 runs, typically 20.0 s, last 40.0 s')).toBeTruthy();
    const values = within(chart.getByRole('table')).getAllByRole('cell');
    expect(values.map(({ textContent }) => textContent)).toEqual(['10,000', '20,000', '40,000']);
  });

  test('works on the plain list of another service, in memory', async () => {
    const { status: _, ...plain } = entry('Foreign 1', { _id: '1', lastRunAt: '2026-03-01T00:00:00Z' });
    const list = Array.from({ length: 60 }, (__, place) => ({
      ...plain,
      _id: String(place),
      name: `Foreign ${place}`,
    }));
    const { user } = renderScreen('/system/logs', {
      as: adminUser,
      answers: { logs: { list: () => Response.json({ data: list }) } },
    });
    await rowOf('Foreign 0');
    expect(screen.getByText('60 runs')).toBeTruthy();
    expect(screen.queryByText('Start Reload')).toBeNull();
    await user.type(screen.getByPlaceholderText('Search by log name'), 'EIGN 59');
    await rowOf('Foreign 59');
    await waitFor(() => expect(screen.getByText('1 run')).toBeTruthy());
  });

  test('is an empty list, silently, when it can’t be loaded', async () => {
    renderScreen('/system/logs', {
      as: plainUser,
      answers: { logs: { list: () => refuse('INTERNAL', 'Broken inside.') } },
    });
    expect(await screen.findByText('No logs to show')).toBeTruthy();
    expect(screen.queryByText('Broken inside.')).toBeNull();
  });
});

test('durations are never negative, and 0 when a time is missing', () => {
  const at = (lastRunAt: string | null, lastFinishedAt: string | null) =>
    timeConsuming(entry('x', { lastRunAt, lastFinishedAt }));
  expect(at('2026-01-01T00:00:00Z', '2026-01-01T00:00:01.250Z')).toBe(1250);
  expect(at('2026-01-01T00:00:01Z', '2026-01-01T00:00:00Z')).toBe(0);
  expect([at(null, '2026-01-01T00:00:00Z'), at('2026-01-01T00:00:00Z', null), at('nonsense', 'x')]).toEqual([
    0, 0, 0,
  ]);
  expect([850, 4200, 125_000, 3_780_000].map(formatDuration)).toEqual([
    '850 ms',
    '4.2 s',
    '2 min 5 s',
    '1 h 3 min',
  ]);
});
