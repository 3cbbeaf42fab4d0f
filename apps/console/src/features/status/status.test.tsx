import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { instance } from '../../testing/instance.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';

test('the status tells the version, since when the service runs, and of each part how it is', async () => {
  const get = () => ({
    version: '1.4.0',
    since: '2026-03-04T05:06:07Z',
    checks: [
      { name: 'Database', state: 'ok' as const, sentence: 'It answers within 1 ms.' },
      { name: 'Disk', state: 'warning' as const, sentence: 'Make room soon.' },
      {
        name: 'Last failed job',
        state: 'warning' as const,
        sentence: '“A” failed.',
        at: '2026-03-04T01:02:03Z',
      },
    ],
  });
  const ticket = () => ({ url: '/api/status/support-bundle?ticket=t' });
  const { service, user } = renderScreen('/system/status', {
    as: adminUser,
    answers: { status: { get }, downloads: { ticket } },
  });
  expect(await screen.findByText('Worth a look: Disk, Last failed job')).toBeTruthy();
  expect(screen.getByText('1.4.0')).toBeTruthy();
  expect(screen.getByText('2026-03-04 05:06:07')).toBeTruthy();
  const items = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(items).toEqual(
    expect.arrayContaining([
      'DatabaseIt answers within 1 ms. OK',
      'DiskMake room soon. Warning',
      'Last failed job“A” failed. 2026-03-04 01:02:03Warning',
    ]),
  );
  await user.click(screen.getByRole('button', { name: 'Support bundle' }));
  await waitFor(() =>
    expect(service.callsOf('downloads.ticket')[0]?.body).toEqual({ path: '/api/status/support-bundle' }),
  );
});

test('each part leads to the page where it is looked into, in the words of the variant', async () => {
  const check = (name: string) => ({ name, state: 'ok' as const, sentence: 'Fine.' });
  const get = () => ({
    version: '1.4.0',
    since: '2026-03-04T05:06:07Z',
    checks: ['Database', 'Settings', 'License', 'MySQL', 'Last failed job', 'Disk'].map(check),
  });
  renderScreen('/system/status', { as: adminUser, variant: 'alternative', answers: { status: { get } } });
  const list = await screen.findByRole('list', { name: 'Checks' });
  expect(
    Array.from(list.querySelectorAll('a'), (link) => [link.textContent, link.getAttribute('href')]),
  ).toEqual([
    ['Storage', '/data/setting#database'],
    ['Settings', '/data/setting'],
    ['License', '/data/setting#license'],
    ['MySQL', '/data/setting#data-sources'],
    ['Last failed job', '/system/logs?status=failed'],
  ]);
});

test('several instances are a table that marks what differs; one alone is not', async () => {
  let instances = [
    instance('a:8000', { isThis: true }),
    instance('b:8000', { version: '1.3.0', generation: 6 }),
    instance('c:8000', { isLive: false }),
  ];
  const get = () => ({ version: '1.4.0', since: '2026-03-04T05:06:07Z', checks: [], instances });
  const { user } = renderScreen('/system/status', { as: adminUser, answers: { status: { get } } });
  const table = within(await screen.findByRole('table', { name: 'Instances' }));
  const cells = () =>
    table
      .getAllByRole('row')
      .slice(1)
      .map((row) => Array.from(row.querySelectorAll('td'), ({ textContent }) => textContent?.trim()));
  const times = ['2026-03-04 05:06:07', '2026-03-04 06:06:07'];
  expect(cells()).toEqual([
    ['a:8000 (answers you)', '1.4.0', '7', ...times, 'Running'],
    ['b:8000', '1.3.0 (differs)', '6 (differs)', ...times, 'Earlier settings'],
    ['c:8000', '1.4.0', '7', ...times, 'Does not answer'],
  ]);
  instances = instances.slice(0, 1);
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  await waitFor(() => expect(screen.queryByRole('table', { name: 'Instances' })).toBeNull());
});

test('a backup is made after a question and then downloaded, where the service keeps its data itself', async () => {
  const get = () => ({
    version: '1.4.0',
    since: '2026-03-04T05:06:07Z',
    checks: [{ name: 'Last backup', state: 'warning' as const, sentence: 'None has been made yet.' }],
  });
  const makeBackup = () => ({ file: 'kaptain-x.backup', bytes: 2_000_000 });
  const ticket = () => ({ url: '/api/status/backup/kaptain-x.backup?ticket=t' });
  const { service, user } = renderScreen('/system/status', {
    as: adminUser,
    answers: { status: { get, makeBackup }, downloads: { ticket } },
  });
  await user.click(await screen.findByRole('button', { name: 'Make a backup' }));
  expect(service.callsOf('status.makeBackup')).toEqual([]);
  await user.click(await screen.findByRole('button', { name: 'Yes' }));
  await waitFor(() =>
    expect(service.callsOf('downloads.ticket')[0]?.body).toEqual({
      path: '/api/status/backup/kaptain-x.backup',
    }),
  );
  expect(await screen.findByText(/^The backup has/)).toBeTruthy();
});

test('the status is not there for an ADMIN whose service does not know it', async () => {
  renderScreen('/system/status', { as: adminUser, isMenuOpen: true });
  expect(await screen.findByText('Page not found')).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Status' })).toBeNull();
});
