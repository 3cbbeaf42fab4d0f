import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { sampleLog as entry } from '../../testing/sample-log.ts';
import { pageOf } from './logs-fixture.ts';

test('an ADMIN sets when the app of a kapsule is reloaded', async () => {
  const schedule = (kapsulename: string, cron: string | null) => ({
    kapsuleId: `id-${kapsulename}`,
    kapsulename,
    appId: cron && 'app-7',
    cron,
    timeZone: 'Europe/Berlin',
    partial: false,
    isPaused: false,
    nextRunAt: cron && '2026-03-05T05:00:00Z',
    nextRuns: [],
  });
  const answers: Answers = {
    logs: { list: () => pageOf(entry('Over')) },
    jobs: {
      apps: () => [{ id: 'app-8', name: 'Sales' }],
      schedules: () => [
        { ...schedule('Budgets', '0 4 * * *'), isPaused: true, nextRunAt: null },
        schedule('Orders', '0 5 * * *'),
        schedule('Targets', null),
      ],
      previewSchedule: ({ query }) =>
        query?.cron === 'wrong'
          ? refuse('BAD_INPUT', 'A schedule has five parts.')
          : { nextRuns: ['2026-03-05T05:30:00Z', '2026-03-06T05:30:00Z', '2026-03-07T05:30:00Z'] },
      setSchedule: ({ body }) => ({ ...schedule('Orders', body.cron ?? null), partial: true }),
    },
  };
  const { user, service } = renderScreen('/system/logs', { as: adminUser, answers });
  await user.click(await screen.findByText('Schedules'));
  const list = within(await screen.findByRole('list', { name: 'Schedules' }));
  // The list comes before the first field.
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('dialog')));
  expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Ordersevery day at 05:00, Europe/Berlinnext 2026-03-05 05:00:00',
    'Budgetsevery day at 04:00, Europe/BerlinPaused',
  ]);
  await user.click(list.getByText('Orders'));
  const time = await screen.findByLabelText<HTMLInputElement>('Time');
  expect(time.value).toBe('05:00');
  const choose = async (label: string, title: string) => {
    await user.click(screen.getByLabelText(label));
    await user.click(await screen.findByTitle(title));
  };
  await choose('When', 'Custom (cron expression)');
  enter(await screen.findByLabelText('Cron expression'), 'wrong');
  expect(await screen.findByText('A schedule has five parts.')).toBeTruthy();
  await choose('When', 'Monday to Friday');
  enter(await screen.findByLabelText('Time'), '05:30');
  expect(await screen.findByText('Monday to Friday at 05:30, Europe/Berlin.')).toBeTruthy();
  const runs = within(await screen.findByRole('list', { name: 'Next runs' }));
  expect(runs.getAllByRole('listitem')).toHaveLength(3);
  await user.click(screen.getByLabelText(/^Pause/));
  expect(await screen.findByText('Paused: no reload is started.')).toBeTruthy();
  enter(screen.getByLabelText('App ID'), '');
  await user.click(screen.getByText('Save', { selector: '.ant-modal button span' }));
  expect(await screen.findByText('Please input the app ID!')).toBeTruthy();
  await user.type(screen.getByLabelText('App ID'), 'sal');
  await user.click(await screen.findByTitle('Sales (app-8)'));
  await user.click(screen.getByText('Save', { selector: '.ant-modal button span' }));
  expect(await screen.findByText('The schedule of Orders is saved.')).toBeTruthy();
  const [call] = service.callsOf('jobs.setSchedule');
  expect([call?.url.endsWith('/api/job/schedule/id-Orders'), call?.body]).toEqual([
    true,
    { appId: 'app-8', cron: '30 5 * * 1-5', timeZone: 'Europe/Berlin', partial: false, isPaused: true },
  ]);
});
