import type { StatusCheck } from '@kaptain/contract/status';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';

const open = (checks: StatusCheck[]) =>
  renderScreen('/system/status', {
    as: adminUser,
    answers: { status: { get: () => ({ version: '1.4.0', since: '2026-03-04T05:06:07Z', checks }) } },
  });

test('the status tells the version, since when the service runs, and of each part how it is', async () => {
  open([
    { name: 'Database', state: 'ok', sentence: 'It answers within 1 ms.' },
    { name: 'Disk', state: 'warning', sentence: 'Make room soon.' },
    { name: 'Last failed job', state: 'warning', sentence: '“A” failed.', at: '2026-03-04T01:02:03Z' },
  ]);
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
});

test('what is broken comes before what is only worth a look', async () => {
  open([
    { name: 'Disk', state: 'warning', sentence: 'x' },
    { name: 'Database', state: 'error', sentence: 'x' },
  ]);
  expect(await screen.findByText('Needs help now: Database')).toBeTruthy();
});

test('the status is there for an ADMIN whose service knows it, and for nobody else', async () => {
  const { unmount } = open([]);
  expect(await screen.findByText('Everything is fine.')).toBeTruthy();
  unmount();
  const { unmount: leave } = renderScreen('/system/status', { as: adminUser });
  await waitFor(() => expect(screen.queryByText('Page not found')).toBeTruthy());
  leave();
  renderScreen('/system/status', { as: plainUser });
  expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeTruthy();
  expect(screen.queryByRole('menuitem', { name: 'Status' })).toBeNull();
});
