import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, history, kapsule, pageOf, path, serviceWith } from './granules-fixture.ts';

const schedule = {
  cron: '30 5 * * *',
  timeZone: 'Europe/Berlin',
  partial: false,
  isPaused: false,
  nextRuns: [],
};

test('a USER who may only read sees their groups and the history, and no way to delete, import, edit, bring back, schedule or reload', async () => {
  const read = { ...kapsule, authority: ['READ' as const], ownerId: 'u-mara' };
  const { user, service } = renderScreen(`${path}?show=deleted&open=id-A1`, {
    as: plainUser,
    answers: serviceWith(
      {
        list: () => pageOf({ data: [granule('A1', { version: 3 })], totalIsExact: false }),
        countMatching: () => refuse('TOO_MANY_REQUESTS', 'Too many counts are in progress.'),
        history,
      },
      {
        kapsules: {
          get: () => read,
          list: () => [read],
          overview: () => ({ appId: 'app-7', schedule, lastReload: null, groups: [] }),
        },
      },
    ),
  });
  const about = within(await screen.findByRole('region', { name: 'About this kapsule' }));
  expect(await about.findByText('every day at 05:30, Europe/Berlin')).toBeTruthy();
  expect(about.getByText('Your groups')).toBeTruthy();
  expect(screen.getByText('You may read this kapsule, not write into it.')).toBeTruthy();
  for (const label of [/Reload now/, /Change the/, /^Edit/]) {
    expect(about.queryByLabelText(label)).toBeNull();
    expect(about.queryByText(label)).toBeNull();
  }
  expect(await screen.findByText('Earlier', { selector: 'del' })).toBeTruthy();
  for (const text of ['Edit', 'Bring back', 'Import', 'Deleted']) expect(screen.queryByText(text)).toBeNull();
  // Deleted granules are not asked for, even by the URL.
  expect(service.callsOf('granules.list')[0]?.url).not.toContain('deleted');

  // Nor are all matches offered that can not be counted.
  await user.click(screen.getByLabelText('Select all of this page'));
  expect(await screen.findByText('1 selected.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByText(/matching|Counting/)).toBeNull());
  const remove = screen.getByText('Delete Selection (1)').closest('button');
  expect(remove?.disabled).toBe(true);
});

test('a USER who may write edits and imports, and does not delete, replace the structure or choose the writers', async () => {
  const write = { ...kapsule, authority: ['READ' as const, 'WRITE' as const], writers: 'DELETE' as const };
  const list = () => pageOf({ data: [granule('A1', { version: 3 })], total: 1 });
  const served = { ...write, ownerId: 'u-mara' };
  const { user } = renderScreen(`${path}?open=id-A1`, {
    as: plainUser,
    answers: serviceWith({ list, history }, { kapsules: { get: () => served, list: () => [served] } }),
  });
  expect(await screen.findByText('Import')).toBeTruthy();
  expect((await screen.findAllByText('Edit')).length).toBeGreaterThan(0);
  for (const text of ['Edit kapsule', 'Who may save granules', /^You may read this/])
    expect(screen.queryByText(text)).toBeNull();
  await user.click(screen.getByLabelText('Select all of this page'));
  const remove = (await screen.findByText('Delete Selection (1)')).closest('button');
  expect(remove?.disabled).toBe(true);
});
