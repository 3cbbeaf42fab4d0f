import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { linesOf, matchingLines } from './log-lines.ts';

const files = { sys: ['system-current.log', 'system-2026-01-02-1.log'], app: ['app-current.log'] };
const text = [
  '{"level":"info","msg":"service started"}',
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

describe('the System Logs page', () => {
  test('lists the files of both logs and shows one in the drawer, with what can’t be seen written out', async () => {
    const { user, service } = open({ tail: () => ({ text, isCut: false, cursor: '1.2' }) });
    for (const title of ['System log', 'App log'])
      expect(await screen.findByRole('heading', { name: title })).toBeTruthy();
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual(
      expect.arrayContaining([...files.sys, ...files.app]),
    );
    await user.click(screen.getByLabelText('View system-current.log'));
    await waitFor(() => expect(lines()).toHaveLength(3));
    expect(lines()[0]).toBe('{"level":"info","msg":"service started"}');
    expect(lines()[2]).toContain('slow \\u202egnp.exe\\u001b[31m');
    expect(service.callsOf('systemLogs.tail')[0]?.url).toContain('/api/log/sys/sys/system-current.log/tail');

    await user.type(screen.getByPlaceholderText('Search in this log'), 'DATAB');
    await waitFor(() => expect(lines()).toEqual(['{"level":"error","msg":"database away"}']));
    expect(screen.getByText('1 of 3 lines')).toBeTruthy();
    await user.clear(screen.getByPlaceholderText('Search in this log'));
    await user.click(screen.getByLabelText('Level'));
    await user.click(await screen.findByTitle('Warnings and errors'));
    await waitFor(() => expect(lines()).toHaveLength(2));
  });

  test('follows a file: what is added appears, and nothing is asked for twice', async () => {
    const cursors: (string | undefined)[] = [];
    const { user } = open({
      tail: ({ query }) => {
        cursors.push(query?.cursor);
        if (query?.cursor === undefined) return { text: 'one\n', isCut: false, cursor: '1.4' };
        return query.cursor === '1.4'
          ? { text: 'two\n', isCut: false, cursor: '1.8' }
          : { text: '', isCut: false, cursor: '1.8' };
      },
    });
    await user.click(await screen.findByLabelText('View app-current.log'));
    await waitFor(() => expect(lines()).toEqual(['one']));
    await user.click(screen.getByLabelText('Follow'));
    await waitFor(() => expect(lines()).toEqual(['one', 'two']));
    await waitFor(() => expect(cursors.length).toBeGreaterThan(2));
    expect(cursors.slice(0, 3)).toEqual([undefined, '1.4', '1.8']);
    expect(lines()).toEqual(['one', 'two']);
  });

  test('shows the content as another service sends it, which knows no tails', async () => {
    const { user } = open({ content: () => 'plain line\nERROR bad\n' });
    await user.click(await screen.findByLabelText('View app-current.log'));
    await waitFor(() => expect(lines()).toEqual(['plain line', 'ERROR bad']));
    expect(screen.getByText('ERROR bad').dataset['level']).toBe('error');
  });

  test('says what is wrong with a file, and is silent about a list it can’t load', async () => {
    const { user } = open({ tail: () => refuse('INTERNAL', 'Broken inside.') });
    await user.click(await screen.findByLabelText('View app-current.log'));
    expect(await screen.findByText('Broken inside.')).toBeTruthy();
    screen.getByLabelText('Close').click();
  });

  test('shows two empty cards when the list can’t be loaded, and nothing at all to a USER', async () => {
    const { unmount } = renderScreen('/program/logs', { as: adminUser });
    expect(await screen.findAllByText('No files yet')).toHaveLength(2);
    unmount();
    renderScreen('/program/logs', { as: plainUser });
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  });
});

describe('the lines of a log', () => {
  test('belong to the level of the line they follow, and are found by level and text', () => {
    const found = linesOf('start\n2026 ERROR bad\n  at stack (x.ts)\n2026 INFO fine\r\n{"level":"trace"}\n');
    expect(found.map(({ level }) => level)).toEqual([undefined, 'error', 'error', 'info', 'debug']);
    expect(matchingLines(found, '', 'error').map(({ text: line }) => line)).toEqual([
      '2026 ERROR bad',
      '  at stack (x.ts)',
    ]);
    expect(matchingLines(found, 'STACK', '')).toHaveLength(1);
    expect(matchingLines(found, '', '')).toHaveLength(5);
  });
});

test('an open drawer has its file in the title', async () => {
  const { user } = open({ tail: () => ({ text: '', isCut: false, cursor: '1.0' }) });
  await user.click(await screen.findByLabelText('View system-2026-01-02-1.log'));
  const drawer = within(await screen.findByRole('dialog'));
  expect(drawer.getByText('system-2026-01-02-1.log')).toBeTruthy();
  expect(await drawer.findByText('This log is empty')).toBeTruthy();
});
