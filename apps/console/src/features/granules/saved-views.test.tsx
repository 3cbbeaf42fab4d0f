import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { refuse } from '../../testing/fake-service.ts';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { path, serviceWith } from './granules-fixture.ts';

const late = { _id: 'v1', name: 'Late ones', query: 'q=late' };

async function open(views: NonNullable<Parameters<typeof serviceWith>[1]>['views']) {
  const view = renderScreen(path, { as: plainUser, answers: serviceWith({}, { views }) });
  await screen.findByRole('table', { name: 'Granules' });
  await view.user.click(screen.getByRole('button', { name: 'Views' }));
  return { ...view, dialog: within(await screen.findByRole('dialog', { name: 'Saved views' })) };
}

test('views that could not be loaded are told, and can be loaded again', async () => {
  let isBroken = true;
  const { user, dialog } = await open({
    list: () => (isBroken ? refuse('UNAVAILABLE', 'The database sleeps.') : [late]),
  });
  const panel = within(await dialog.findByRole('alert'));
  expect(panel.getByText('The views could not be loaded')).toBeTruthy();
  isBroken = false;
  await user.click(panel.getByText('Retry'));
  expect(await dialog.findByText('Late ones')).toBeTruthy();
  await waitFor(() => expect(dialog.queryByRole('alert')).toBeNull());
});
