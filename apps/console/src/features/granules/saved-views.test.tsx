import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { type Answers, refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { path, serviceWith } from './granules-fixture.ts';

const late = { _id: 'v1', name: 'Late ones', query: 'q=late' };

test('views that could not be loaded are told, and loaded again; a view is replaced or deleted only after a question', async () => {
  let isBroken = true;
  const views: Answers['views'] = {
    list: () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : [late]),
    save: ({ body }) => ({ ...late, ...body }),
    remove: () => ({ status: 'success' }),
  };
  const { user, service } = renderScreen(path, { as: plainUser, answers: serviceWith({}, { views }) });
  await user.click(await screen.findByRole('button', { name: 'Views' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Saved views' }));
  const panel = within(await dialog.findByRole('alert'));
  expect(panel.getByText('The views could not be loaded')).toBeTruthy();
  isBroken = false;
  await user.click(panel.getByText('Retry'));
  expect(await dialog.findByText('Late ones')).toBeTruthy();
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());

  const answer = async (title: string, button: string) => {
    const question = await screen.findByRole('dialog', { name: title });
    await user.click(within(question).getByText(button));
    await waitFor(() => expect(screen.queryByRole('dialog', { name: title })).toBeNull());
  };
  // The service finds the view of this name, too.
  const name = dialog.getByLabelText<HTMLInputElement>('Name of the present view');
  enter(name, ' LATE ones ');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await answer('Replace the view Late ones?', 'Cancel');
  expect(service.callsOf('views.save')).toEqual([]);
  expect(name.value).toBe(' LATE ones ');
  await user.type(name, '{Enter}');
  await answer('Replace the view Late ones?', 'Yes');
  expect(await screen.findByText('The view LATE ones is saved.')).toBeTruthy();
  expect(service.callsOf('views.save')).toHaveLength(1);
  expect(name.value).toBe('');

  await user.click(dialog.getByLabelText('Delete the view Late ones'));
  await answer('Are you sure to delete the view Late ones?', 'Cancel');
  expect(service.callsOf('views.remove')).toEqual([]);
  await user.click(dialog.getByLabelText('Delete the view Late ones'));
  await answer('Are you sure to delete the view Late ones?', 'Yes');
  expect(await screen.findByText('The view Late ones is deleted.')).toBeTruthy();
  expect(service.callsOf('views.remove')).toHaveLength(1);
});
