import type { Kapsule } from '@kaptain/contract/kapsules';
import type { Lock } from '@kaptain/contract/locks';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../../testing/enter.ts';
import { type Answers, refuse } from '../../../testing/fake-service.ts';
import { adminUser, plainUser, renderScreen } from '../../../testing/render-screen.tsx';
import { kapsule, path, serviceWith } from '../granules-fixture.ts';

const period: Lock = {
  name: 'Period',
  closes: 'when',
  conditions: [{ on: 'field', field: 'Comment', is: 'atMost', value: '2026-10' }],
  openers: 'OWNER',
};
const groups = [{ _id: 'g1', groupname: 'Finance', authority: ['READ' as const], users: 2 }];
const overview = () => ({ appId: null, schedule: null, lastReload: null, groups });

function open(me: typeof adminUser, locks: Lock[], answers: Answers['kapsules'] = {}) {
  let present: Kapsule = { ...kapsule, version: 4, ownerId: 'u-other', locks };
  return renderScreen(path, {
    as: me,
    answers: serviceWith(
      {},
      {
        kapsules: {
          get: () => present,
          list: () => [present],
          overview,
          setLocks: ({ body }) => {
            present = { ...present, version: 5, locks: body.locks };
            return present;
          },
          ...answers,
        },
      },
    ),
  });
}
const section = async () => within(await screen.findByRole('region', { name: 'Locks' }));
const sent = (service: ReturnType<typeof renderScreen>['service']) =>
  service.callsOf('kapsules.setLocks').map(({ body }) => (body as { locks: Lock[] }).locks);

test('a kapsule is closed with one click and opened again', async () => {
  const { user, service } = open(adminUser, []);
  const shown = await section();
  await user.click(shown.getByText('Close this kapsule'));
  const sentence = 'Closed: all granules, for everyone; opened again by the owner and ADMINs.';
  expect(await shown.findByText(sentence)).toBeTruthy();
  expect(shown.queryByText('Close this kapsule')).toBeNull();
  await user.click(shown.getByLabelText('Remove the lock Closed'));
  await user.click(await screen.findByText('Yes'));
  expect(await shown.findByText('Close this kapsule')).toBeTruthy();
  expect(sent(service)).toEqual([[{ name: 'Closed', closes: 'when', conditions: [], openers: 'OWNER' }], []]);
});

test('a lock is added with conditions on fields, groups, persons and times, and what is wrong is told before', async () => {
  const { user, service } = open(adminUser, [period]);
  await user.click((await section()).getByText('Add a lock'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add a lock to Sales' }));
  enter(dialog.getByLabelText('Name'), 'period');
  await user.click(dialog.getByLabelText('Some fields'));
  await user.click(await dialog.findByLabelText('Fields'));
  await user.click(await screen.findByTitle('Amount'));
  await user.click(dialog.getByText('Add condition'));
  await user.click(await dialog.findByLabelText('Condition 1: of what'));
  await waitFor(() => expect(screen.getAllByTitle('Amount').length).toBeGreaterThan(2));
  await user.click(screen.getAllByTitle('Amount').at(-1) as HTMLElement);
  await user.click(dialog.getByLabelText('Condition 1: comparison'));
  await user.click(await screen.findByTitle('is at least'));
  enter(dialog.getByLabelText('Condition 1: value'), 'much');
  await user.click(dialog.getByText('Save'));
  expect(await dialog.findByText('Amount is not a valid number!')).toBeTruthy();
  enter(dialog.getByLabelText('Condition 1: value'), '1,000');
  await user.click(dialog.getByText('Save'));
  expect(await dialog.findByText('The lock period is there more than once.')).toBeTruthy();
  expect(service.callsOf('kapsules.setLocks')).toEqual([]);
  enter(dialog.getByLabelText('Name'), 'Large');
  await user.click(dialog.getByLabelText('The owner and ADMINs'));
  await user.click(dialog.getByText('Save'));
  expect(await screen.findByText('The lock Large is saved.')).toBeTruthy();
  expect(sent(service)).toEqual([
    [
      period,
      {
        name: 'Large',
        fields: ['Amount'],
        closes: 'when',
        conditions: [{ on: 'field', field: 'Amount', is: 'atLeast', value: 1000 }],
        openers: 'OWNER',
      },
    ],
  ]);
});

test('a lock that others have changed meanwhile is not overwritten', async () => {
  const { user } = open(adminUser, [period], {
    setLocks: () => refuse('CONFLICT', 'Another user has changed it meanwhile.'),
  });
  await user.click((await section()).getByLabelText('Edit the lock Period'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Edit the lock Period' }));
  expect(dialog.getByLabelText<HTMLInputElement>('Condition 1: value').value).toBe('2026-10');
  await user.click(dialog.getByText('Save'));
  expect(await dialog.findByText('Another user has changed it meanwhile.')).toBeTruthy();
});

test('those who may delete change only locks that they may open; those who may only write see no section', async () => {
  const { user, service, unmount } = open(plainUser, [
    period,
    { ...period, name: 'Other', openers: 'DELETE' },
  ]);
  const shown = await section();
  expect(shown.getByLabelText('Edit the lock Period').getAttribute('aria-disabled')).toBe('true');
  expect(shown.getByLabelText('Remove the lock Other').getAttribute('aria-disabled')).toBe('false');
  await user.click(shown.getByText('Close this kapsule'));
  await waitFor(() => expect(sent(service)[0]?.at(-1)?.openers).toBe('DELETE'));
  unmount();
  const seen: Kapsule = { ...kapsule, authority: ['READ', 'WRITE'] };
  open(plainUser, [], { get: () => seen, list: () => [seen] });
  expect(await screen.findByText('Owner')).toBeTruthy();
  expect(screen.queryByText('Locks')).toBeNull();
});
