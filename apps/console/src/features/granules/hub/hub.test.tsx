import type { KapsuleOverview } from '@kaptain/contract/kapsules';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../../testing/enter.ts';
import { refuse } from '../../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../../testing/render-screen.tsx';
import { sampleLog } from '../../../testing/sample-log.ts';
import { kapsule, path, serviceWith } from '../granules-fixture.ts';

const schedule = {
  cron: '30 5 * * *',
  timeZone: 'Europe/Berlin',
  partial: false,
  isPaused: false,
  nextRuns: ['2026-03-05T04:30:00Z'],
};
const overview: KapsuleOverview = {
  appId: 'app-7',
  schedule,
  lastReload: { ...sampleLog('Reload Sales'), status: 'failed', failReason: 'No such file.' },
  groups: [
    { _id: 'g1', groupname: 'Controlling', authority: ['READ'], users: 3 },
    { _id: 'g2', groupname: 'Sales team', authority: ['READ', 'DELETE'], users: 8 },
  ],
};
const owned = { ...kapsule, owner: 'mara', ownerId: 'u-mara', version: 4 };
const kapsules = { get: () => owned, list: () => [owned], overview: () => overview };
const hub = async () => within(await screen.findByRole('region', { name: 'About this kapsule' }));
const submit = (text: string) =>
  screen.getByText(text, { selector: 'button[type="submit"] *' }).closest('button') as HTMLButtonElement;

test('the hub says owner, app, schedule, last reload, groups and fields, sets the schedule and starts a reload', async () => {
  let current: KapsuleOverview = { ...overview, schedule: null };
  const { user, service } = renderScreen(path, {
    as: adminUser,
    answers: serviceWith(
      {},
      {
        kapsules: { ...kapsules, overview: () => current },
        dataApi: { reload: () => sampleLog('Reload Sales') },
        jobs: {
          previewSchedule: () => ({ nextRuns: [4, 5, 6].map((day) => `2026-03-0${day}T04:30:00Z`) }),
          setSchedule: () => {
            current = overview;
            return { kapsuleId: 'k1', kapsulename: 'Sales', appId: 'app-7', nextRunAt: null, ...schedule };
          },
        },
      },
    ),
  });
  const about = await hub();
  await user.click(await about.findByLabelText('Set the schedule'));
  expect(about.getByText('No schedule')).toBeTruthy();
  const dialog = within(await screen.findByRole('dialog', { name: 'Reloads of Sales' }));
  // The dialog focuses its first field once it is open.
  await waitFor(() => expect(document.activeElement).toBe(dialog.getByLabelText('App ID')));
  await user.click(dialog.getByLabelText('When'));
  await user.click(await screen.findByTitle('Every day'));
  enter(dialog.getByLabelText('Time'), '05:30');
  enter(dialog.getByLabelText('Time zone'), 'berlin');
  await user.click(await screen.findByTitle('Europe/Berlin'));
  const runs = await dialog.findByRole('list', { name: 'Next runs' });
  await waitFor(() => expect(within(runs).getAllByRole('listitem')).toHaveLength(3));
  await user.click(submit('Save'));
  await about.findByText('every day at 05:30, Europe/Berlin');
  const [call] = service.callsOf('jobs.setSchedule');
  expect([call && new URL(call.url).pathname, call?.body]).toEqual([
    '/api/job/schedule/k1',
    { appId: 'app-7', cron: '30 5 * * *', timeZone: 'Europe/Berlin', partial: false, isPaused: false },
  ]);
  for (const text of ['mara', 'app-7', 'Failed', 'Controlling, Sales team', 'Comment, Amount, Done'])
    expect(about.getByText(text)).toBeTruthy();
  await user.click(about.getByLabelText('Reload now: Sales'));
  expect(await screen.findByText('Reload Sales is queued.')).toBeTruthy();
  expect(service.callsOf('dataApi.reload').map(({ url }) => new URL(url).pathname)).toEqual([
    '/api/kapsule/k1/reload',
  ]);
  await user.click(about.getByText('About this kapsule'));
  expect(about.queryByText('mara')).toBeNull();
});

test('a kapsule is edited in place of the version that the user saw', async () => {
  let isTaken = true;
  const update = () => (isTaken ? refuse('CONFLICT', 'Plan exists already.') : { ...owned, name: 'Plan' });
  const { user, service } = renderScreen(path, {
    as: adminUser,
    answers: serviceWith({}, { kapsules: { ...kapsules, update } }),
  });
  await user.click((await hub()).getByText('Edit kapsule'));
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  // The dialog focuses its first field once it is open.
  await waitFor(() => expect(document.activeElement).toBe(name));
  expect(screen.getByLabelText<HTMLInputElement>('Name of field 1').disabled).toBe(true);
  enter(name, 'Plan');
  await user.click(screen.getByLabelText('Remove field 3'));
  await user.click(screen.getByText('Add field'));
  enter(await screen.findByLabelText('Name of field 3'), 'comment');
  await user.click(submit('Save'));
  expect(await screen.findByText('This field is there already.')).toBeTruthy();
  enter(screen.getByLabelText('Name of field 3'), 'Due');
  await user.click(submit('Save'));
  expect(await screen.findByText('Plan exists already.')).toBeTruthy();
  isTaken = false;
  await user.click(submit('Save'));
  expect(await screen.findByText('Plan is saved.')).toBeTruthy();
  expect(service.callsOf('kapsules.update')[1]?.body).toEqual({
    name: 'Plan',
    table: 'SalesComments',
    keyField: 'OrderID',
    fields: [
      { name: 'Comment', type: 'text' },
      { name: 'Amount', type: 'number' },
      { name: 'Due', type: 'text' },
    ],
  });
});
