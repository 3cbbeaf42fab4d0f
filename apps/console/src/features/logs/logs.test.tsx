import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { notices } from '../../testing/notices.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleLog as entry } from '../../testing/sample-log.ts';
import { pageOf } from './logs-fixture.ts';

const rowOf = async (name: string) => {
  const [first] = await screen.findAllByText(name, { selector: 'strong' });
  const row = first?.closest('tr');
  if (!row) throw new Error('It is not in a row.');
  return row;
};
const asked = (calls: { url: string }[]) =>
  calls.map(({ url }) => Object.fromEntries(new URL(url).searchParams));
const open = (answers: Answers, as = adminUser, path = '/system/logs') => renderScreen(path, { as, answers });
const submit = (text: string) => screen.getByText(text, { selector: '.ant-modal button span' });

describe('the Logs page', () => {
  test('has the columns of the specification, opens the full JSON, and the script log in a new window by ticket', async () => {
    const failed = entry('Reload Sales', { status: 'failed', failReason: 'No field.', lastFinishedAt: null });
    const runs = [
      entry('Reload Orders', { qScriptLogFile: 'x.log' }),
      entry('Reload Orders', { _id: 'older' }),
    ];
    const opened = { opener: {}, location: { replace: vi.fn<(url: string) => void>() }, close() {} };
    vi.stubGlobal('open', () => opened);
    const address = '/api/log/download/id-Reload%20Orders';
    const { user, service } = open(
      {
        logs: { list: () => pageOf(...runs, failed) },
        downloads: { ticket: () => ({ url: `${address}?ticket=t` }) },
      },
      plainUser,
    );
    const cells = Array.from((await rowOf('Reload Orders')).cells, ({ textContent }) => textContent);
    const headers = screen.getAllByRole('columnheader').map(({ textContent }) => textContent);
    expect(headers.filter((text) => text && text !== 'Run' && text !== 'ms')).toEqual([
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
    const chart = within(await screen.findByRole('region', { name: 'Duration of Reload Orders' }));
    expect(chart.getByText('2 runs, typically 1.5 s, last 1.5 s')).toBeTruthy();
    const values = within(chart.getByRole('table')).getAllByRole('cell');
    expect(values.map(({ textContent }) => textContent)).toEqual(['1,500', '1,500']);

    const row = within(await rowOf('Reload Sales'));
    expect(row.getByText('0 ms')).toBeTruthy();
    expect(row.queryByLabelText(/Download/)).toBeNull();
    await user.click(row.getByLabelText(/^Show details of/));
    expect(await screen.findByText('No field.', { selector: '.ant-alert-title' })).toBeTruthy();
    expect(screen.getByRole('figure').textContent).toContain('"failReason": "No field."');
    expect(location.search).toBe('?open=id-Reload+Sales');

    await user.click(screen.getByLabelText('Download ScriptLogFile of Reload Orders'));
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalledWith(`${address}?ticket=t`));
    expect(service.callsOf('downloads.ticket')[0]?.body).toEqual({ path: address });
    // Only an ADMIN starts reloads.
    expect(screen.queryByText('Start Reload')).toBeNull();
    expect(screen.queryByLabelText(/again/)).toBeNull();
  });

  test('takes search, status, time and page from the URL, puts them there, and opens the script log in place with its errors marked', async () => {
    const broken = entry('Broken', { qScriptLogFile: 'x.log', status: 'failed', failReason: 'No field.' });
    const text =
      '08:00 Started\r\n08:01 Error: bad\r\n08:01 General Script Error\r\n08:02 Execution Failed\r\n';
    const { user, service } = open(
      {
        logs: { list: () => pageOf(broken), content: () => ({ text: `${text}08:03 End\r\n`, isCut: false }) },
      },
      plainUser,
      '/system/logs?q=sales&status=failed&time=24h&page=3&size=20',
    );
    await rowOf('Broken');
    const [query] = asked(service.callsOf('logs.list')).filter(({ size }) => size === '20');
    expect(query).toMatchObject({ q: 'sales', status: 'failed', page: '3', size: '20' });
    expect(Date.parse(query?.['from'] ?? '')).toBeLessThan(Date.now() - 86_000_000);
    enter(screen.getByPlaceholderText('Search by log name'), 'oRd');
    await waitFor(() => expect(location.search).toBe('?q=oRd&status=failed&time=24h&size=20'));
    await user.click(screen.getByText('Clear the filters'));
    await waitFor(() => expect(location.search).toBe('?size=20'));

    await user.click(await screen.findByLabelText('Read the script log of Broken'));
    const drawer = within(await screen.findByRole('dialog'));
    expect(await drawer.findByText('1 error, 5 lines')).toBeTruthy();
    expect(drawer.getByText('No field.')).toBeTruthy();
    const lines = () => [...drawer.getByRole('log').children] as HTMLElement[];
    expect(lines().map(({ dataset }) => dataset['level'] ?? '')).toEqual(['', 'error', 'error', 'error', '']);
    await user.click(drawer.getByText('First error'));
    expect(lines().map(({ dataset }) => dataset['isFirst'] !== undefined)).toEqual([
      false,
      true,
      false,
      false,
      false,
    ]);
    enter(drawer.getByPlaceholderText('Search in this log'), 'GENERAL');
    expect(await drawer.findByText('1 error, 1 of 5 lines')).toBeTruthy();
  });

  test('shows how far a run is, in its row and in place, and lets an ADMIN cancel it and run another again', async () => {
    let progress = 0.42;
    const running = { status: 'running', lastFinishedAt: null, progressText: 'Lines fetched: 812' } as const;
    const { user, service } = open({
      logs: {
        list: () => pageOf(entry('Live', { ...running, progress }), entry('First', running), entry('Over')),
      },
      jobs: {
        cancel: () => entry('Live', { status: 'cancelled' }),
        rerun: () => entry('Over', { status: 'queued' }),
      },
    });
    const bar = within(await rowOf('Live')).getByRole('progressbar', { name: 'Progress of Live' });
    expect([bar.getAttribute('aria-valuenow'), bar.textContent]).toEqual(['42', '42%']);
    // The first run of an app has no known duration: its status says what the platform reports.
    const first = within(await rowOf('First'));
    expect(first.queryByRole('progressbar')).toBeNull();
    const status = first.getByText('Running');
    expect(status.tabIndex).toBe(0);
    await user.hover(status);
    expect((await screen.findByRole('tooltip')).textContent).toBe('Lines fetched: 812');
    await user.click(screen.getByLabelText('Watch the progress of Live'));
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByText('Lines fetched: 812')).toBeTruthy();
    expect(drawer.getByLabelText('Progress of Live').getAttribute('aria-valuenow')).toBe('42');
    await user.click(drawer.getByLabelText('Close'));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    progress = 0.77;
    await user.click(screen.getByText('Refresh'));
    expect(await screen.findByText('77%')).toBeTruthy();
    await user.click(screen.getByLabelText('Cancel Live'));
    // "Cancel" and "Yes" would not say which of them stops the reload.
    const keep = (await screen.findByText('Keep it running')).closest('button');
    await waitFor(() => expect(document.activeElement).toBe(keep));
    await user.click(screen.getByText('Cancel the reload'));
    await waitFor(() => expect(service.callsOf('jobs.cancel')[0]?.url).toContain('/api/job/id-Live/cancel'));
    await user.click(screen.getByLabelText('Run Over again'));
    expect(await screen.findByText('Over is queued.')).toBeTruthy();
  });

  test('lets an ADMIN start the reload of a kapsule with its own app, never with the one of another', async () => {
    const kapsules = [
      { _id: 'k1', name: 'Orders', appId: 'app-7' },
      { _id: 'k2', name: 'Targets' },
    ];
    const { user, service } = open({
      logs: { list: () => pageOf(entry('Over')) },
      kapsules: { list: () => kapsules },
      jobs: { start: () => entry('Reload Orders', { status: 'queued' }) },
    });
    await user.click(await screen.findByText('Start Reload'));
    const appId = await screen.findByLabelText<HTMLInputElement>('App ID');
    // The dialog focuses its first field when it has opened; until then it would take the focus away again.
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Kapsule')));
    await user.click(submit('Start'));
    expect(await screen.findByText('Please input the app ID!')).toBeTruthy();
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
    await user.click(submit('Start'));
    await choose('Orders');
    await waitFor(() => expect(screen.queryByText(missing)).toBeNull());
    expect(service.callsOf('jobs.start')).toEqual([]);
    await user.click(submit('Start'));
    await waitFor(() => expect(service.callsOf('jobs.start')).toHaveLength(1));
    expect(service.callsOf('jobs.start')[0]?.body).toEqual({
      appId: 'app-7',
      kapsuleId: 'k1',
      partial: false,
    });
  });

  test('is an empty list, silently, when it can’t be loaded, and works on the plain list of another service', async () => {
    const { status: _, ...plain } = entry('Foreign');
    const list = [1, 2, 3].map((index) => ({ ...plain, _id: String(index), name: `Foreign ${index}` }));
    let isBroken = true;
    const { user } = open({
      logs: {
        list: () => (isBroken ? refuse('INTERNAL', 'Broken inside.') : Response.json({ data: list })),
      },
    });
    expect(await screen.findByText('No logs to show')).toBeTruthy();
    expect(notices()).toEqual([]);
    isBroken = false;
    await user.click(screen.getByText('Refresh'));
    await rowOf('Foreign 1');
    expect(screen.getByText('3 runs')).toBeTruthy();
    expect(screen.queryByText('Start Reload')).toBeNull();
    enter(screen.getByPlaceholderText('Search by log name'), 'EIGN 2');
    await waitFor(() => expect(screen.getByText('1 run')).toBeTruthy());
    expect(await rowOf('Foreign 2')).toBeTruthy();
  });
});
