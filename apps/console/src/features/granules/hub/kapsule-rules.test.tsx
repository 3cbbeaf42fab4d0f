import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../../testing/enter.ts';
import type { Answers } from '../../../testing/fake-service.ts';
import { refuse } from '../../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../../testing/render-screen.tsx';
import { kapsule, path, serviceWith } from '../granules-fixture.ts';

const overview = () => ({ appId: null, schedule: null, lastReload: null, groups: [] });
const found = {
  granules: 2,
  count: 3,
  rules: [{ field: 'Amount', rule: 'min', count: 3 }],
  first: [{ key: 'A1', field: 'Amount', rule: 'min', value: -5, message: 'Amount must be at least 0!' }],
};

async function edit(granules: Answers['granules']) {
  const view = renderScreen(path, {
    as: adminUser,
    answers: serviceWith(granules, {
      kapsules: { get: () => kapsule, list: () => [kapsule], overview, update: () => kapsule },
    }),
  });
  await view.user.click(await screen.findByText('Edit kapsule'));
  await screen.findByRole('dialog');
  return view;
}
const save = () =>
  screen.getByText('Save', { selector: 'button[type="submit"] *' }).closest('button') as HTMLButtonElement;
const fieldsSent = (body: unknown) => (body as { fields: unknown[] }).fields;

test('rules are edited below their field, tried on the stored values, and saved all the same', async () => {
  const { user, service } = await edit({ checkFields: () => found });
  await user.click(screen.getByLabelText('Rules of field 2'));
  const rules = within(await screen.findByRole('group', { name: 'Rules of Amount' }));
  expect(rules.queryByLabelText('Pattern')).toBeNull();
  enter(rules.getByLabelText('Minimum'), 'none');
  expect(await rules.findByText('Minimum is not a valid number!')).toBeTruthy();
  await user.click(save());
  expect(service.callsOf('granules.checkFields')).toEqual([]);
  enter(rules.getByLabelText('Minimum'), '1,000');
  enter(rules.getByLabelText('Unit'), 'EUR');
  await user.click(rules.getByLabelText('Required'));
  // Closed rules are kept.
  await user.click(screen.getByLabelText('Rules of field 2'));
  expect(screen.getByLabelText('Rules of field 2').textContent).toBe('Rules (3)');

  await user.click(screen.getByLabelText('Type of field 3'));
  await user.click(await screen.findByTitle('Choice'));
  const choices = within(await screen.findByRole('group', { name: 'Rules of Done' }));
  enter(choices.getByLabelText('Choice 1 of Done'), 'open');
  await user.click(choices.getByText('Add choice'));
  enter(choices.getByLabelText('Choice 2 of Done'), 'shut');
  await user.click(choices.getByLabelText('Colour of choice 2 of Done'));
  await user.click(await screen.findByText('red'));
  choices.getByLabelText('Move choice shut with the arrow keys').focus();
  await user.keyboard('{ArrowUp}');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Move choice shut with the arrow keys');

  await user.click(save());
  const told = within(await screen.findByRole('dialog', { name: '3 stored values would not fit' }));
  expect(told.getByText('Amount must be at least 0!', { exact: false })).toBeTruthy();
  await user.click(told.getByText('Back'));
  expect(service.callsOf('kapsules.update')).toEqual([]);
  await user.click(save());
  await user.click(await screen.findByText('Save all the same'));
  expect(await screen.findByText('Sales is saved.')).toBeTruthy();
  const fields = [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number', min: 1000, unit: 'EUR', required: true },
    { name: 'Done', type: 'choice', choices: [{ value: 'shut', color: 'red' }, { value: 'open' }] },
  ];
  expect(fieldsSent(service.callsOf('granules.checkFields')[0]?.body)).toEqual(fields);
  expect(fieldsSent(service.callsOf('kapsules.update')[0]?.body)).toEqual(fields);
});

test('a service without the check saves at once, and a check that fails does not prevent a save', async () => {
  const { user, service, unmount } = await edit({});
  enter(screen.getByLabelText('Name of field 1'), 'Comment');
  await user.click(screen.getByLabelText('Rules of field 1'));
  await user.click(await screen.findByLabelText('Required'));
  await user.click(save());
  await waitFor(() => expect(service.callsOf('kapsules.update')).toHaveLength(1));
  unmount();

  const { user: other, service: second } = await edit({
    checkFields: () => refuse('TOO_MANY_REQUESTS', 'Too many checks.'),
  });
  await other.click(screen.getByLabelText('Rules of field 1'));
  await other.click(await screen.findByLabelText('Required'));
  await other.click(save());
  const told = within(await screen.findByRole('dialog', { name: 'The stored values could not be checked' }));
  expect(told.getByText('Too many checks.')).toBeTruthy();
  await other.click(told.getByText('Save all the same'));
  await waitFor(() => expect(second.callsOf('kapsules.update')).toHaveLength(1));
});

test('rules that a new type does not have are told before they are left out, and come back with the type', async () => {
  const { user, service } = await edit({});
  await user.click(screen.getByLabelText('Rules of field 2'));
  const rules = within(await screen.findByRole('group', { name: 'Rules of Amount' }));
  enter(rules.getByLabelText('Minimum'), '5');
  enter(rules.getByLabelText('Unit'), 'EUR');
  await user.click(screen.getByLabelText('Type of field 2'));
  await user.click(await screen.findByTitle('Paragraph'));
  expect(await screen.findByText('Not saved: Minimum, Unit.')).toBeTruthy();
  await waitFor(() => expect(rules.getByLabelText<HTMLInputElement>('Least characters').value).toBe(''));
  await user.click(screen.getByLabelText('Type of field 2'));
  await user.click(await screen.findByTitle('Number'));
  await waitFor(() => expect(screen.queryByText('Not saved', { exact: false })).toBeNull());
  await user.click(save());
  expect(await screen.findByText('Sales is saved.')).toBeTruthy();
  expect(fieldsSent(service.callsOf('kapsules.update')[0]?.body)).toContainEqual({
    name: 'Amount',
    type: 'number',
    min: 5,
    unit: 'EUR',
  });
});
