import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { instance } from '../../testing/instance.ts';
import { notices } from '../../testing/notices.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

const files = { sys: ['system-current.log', 'system-2026-01-02-1.log'], app: ['app-current.log'] };
const text = [
  '{"level":"info","time":"2026-03-01T08:00:00Z","requestId":"r-1","msg":"service started"}',
  '{"level":"error","msg":"database away"}',
  '{"level":"warn","msg":"slow \u202egnp.exe\u001b[31m"}',
  '',
].join('\n');
const open = (systemLogs: NonNullable<Answers['systemLogs']>) =>
  renderScreen('/program/logs', {
    as: adminUser,
    answers: { systemLogs: { list: () => files, ...systemLogs } },
  });
const lines = () => [...screen.getByRole('log').children].map(({ textContent }) => textContent);
const asText = async (user: ReturnType<typeof open>['user']) => user.click(await screen.findByText('Text'));

describe('the System Logs page', () => {
  test('lists the files of both logs and shows one in the drawer, with what can’t be seen written out', async () => {
    const answer = Promise.withResolvers<{ text: string; isCut: boolean; cursor: string }>();
    const { user, service } = open({
      files: () => [
        { kind: 'sys', fileName: 'system-current.log', bytes: 1536, updatedAt: '2026-03-01T08:00:00Z' },
        { kind: 'app', fileName: 'app-current.log', bytes: 0, updatedAt: 'unknown' },
      ],
      tail: () => answer.promise,
    });
    for (const title of ['System log', 'App log'])
      expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining(['system-current.log1.5 KB, 2026-03-01 08:00:00', 'app-current.log0 B, –']),
    );
    await user.click(screen.getByLabelText('View system-current.log'));
    const skeleton = () => screen.getByRole('dialog').querySelector('.ant-skeleton');
    expect(skeleton()).toBeTruthy();
    answer.resolve({ text, isCut: false, cursor: '1.2' });
    const table = within(await screen.findByRole('table', { name: 'system-current.log' }));
    expect(skeleton()).toBeNull();
    const cells = table
      .getAllByRole('row')
      .map((row) => [...row.children].map(({ textContent }) => textContent));
    expect(cells.slice(0, 3)).toEqual([
      ['Time', 'Level', 'Message', 'Request ID'],
      ['2026-03-01 08:00:00', 'info', 'service started', 'r-1'],
      ['–', 'error', 'database away', ''],
    ]);
    expect(cells[3]?.[2]).toBe('slow \\u202egnp.exe\\u001b[31m');
    await user.click(table.getByLabelText('Line 1, 2026-03-01 08:00:00'));
    expect(screen.getByRole('figure', { name: 'Line 1' }).textContent).toContain('"msg": "service started"');
    await asText(user);
    await waitFor(() => expect(lines()).toHaveLength(3));
    expect(lines()[0]).toBe(text.split('\n')[0]);
    expect(lines()[2]).toContain('slow \\u202egnp.exe\\u001b[31m');
    expect(screen.getByText(/database away/).closest<HTMLElement>('[data-level]')?.dataset['level']).toBe(
      'error',
    );
    expect(service.callsOf('systemLogs.tail')[0]?.url).toContain('/api/log/sys/sys/system-current.log/tail');

    enter(screen.getByPlaceholderText('Search in this log'), 'DATAB');
    await waitFor(() => expect(lines()).toEqual(['{"level":"error","msg":"database away"}']));
    expect(screen.getByText('1 of 3 lines')).toBeTruthy();
    enter(screen.getByPlaceholderText('Search in this log'), '');
    await user.click(screen.getByLabelText('Level'));
    await user.click(await screen.findByTitle('Warnings and errors'));
    await waitFor(() => expect(lines()).toHaveLength(2));
  });

  test('of several instances shows the files of one, asks again until that one answers, and switches to another', async () => {
    const names = ['a:8000', 'b:8000'];
    let turn = 0;
    const status = () => ({
      version: '1.4.0',
      since: '2026-03-04T05:06:07Z',
      checks: [],
      instances: names.map((name) => instance(name)),
    });
    // Each call reaches another instance, as behind a load balancer.
    const answers = <T,>(wanted: string | undefined, answer: (name: string) => T) => {
      const name = names[(turn += 1) % 2] ?? '';
      return wanted === name ? answer(name) : refuse('OTHER_INSTANCE', 'Another one.');
    };
    const { user } = renderScreen('/program/logs', {
      as: adminUser,
      answers: {
        status: { get: status },
        systemLogs: {
          files: ({ query }) =>
            answers(query?.instance, (name) => [
              { kind: 'sys', fileName: `${name[0]}.log`, bytes: 1, updatedAt: '', instance: name },
            ]),
          tail: ({ query }) =>
            answers(query?.instance, (name) => ({ text: `line of ${name}\n`, isCut: false, cursor: '1.2' })),
        },
      },
    });
    expect(await screen.findByText('a.log')).toBeTruthy();
    await user.click(screen.getByRole('combobox', { name: 'Instance' }));
    await user.click(await screen.findByTitle('b:8000'));
    await user.click(await screen.findByLabelText('View b.log'));
    await asText(user);
    await waitFor(() => expect(lines()).toEqual(['line of b:8000']));
  });

  test('follows a file, says that one is empty, and what is wrong with another', async () => {
    const { user } = open({
      tail: ({ params, query }) => {
        if (params.fileName === 'system-current.log') return refuse('INTERNAL', 'Broken inside.');
        if (params.fileName !== 'app-current.log') return { text: '', isCut: false, cursor: '1.0' };
        return query?.cursor === undefined
          ? { text: 'one\n', isCut: false, cursor: '1.4' }
          : { text: 'two\n', isCut: false, cursor: '1.8' };
      },
    });
    const closed = async () => {
      await user.click(screen.getByLabelText('Close'));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    };
    await user.click(await screen.findByLabelText('View system-2026-01-02-1.log'));
    const drawer = within(await screen.findByRole('dialog'));
    expect(drawer.getByText('system-2026-01-02-1.log')).toBeTruthy();
    expect(await drawer.findByText('This log is empty')).toBeTruthy();
    await closed();
    await user.click(screen.getByLabelText('View system-current.log'));
    expect(await screen.findByText('Broken inside.')).toBeTruthy();
    await closed();
    await user.click(screen.getByLabelText('View app-current.log'));
    await asText(user);
    await waitFor(() => expect(lines()).toEqual(['one']));
    await user.click(screen.getByLabelText('Follow'));
    await waitFor(() => expect(lines().slice(0, 2)).toEqual(['one', 'two']));
  });

  test('shows two empty cards when the list can’t be loaded', async () => {
    renderScreen('/program/logs', { as: adminUser });
    expect(await screen.findAllByText('No files yet')).toHaveLength(2);
    expect(notices()).toEqual([]);
  });
});
