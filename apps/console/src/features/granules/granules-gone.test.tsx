import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { enter } from '../../testing/enter.ts';
import { refuse } from '../../testing/fake-service.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { granule, kapsule, pageOf, path } from './granules-fixture.ts';

const page = pageOf({ data: [granule('A1', { data: { Comment: 'Present' }, version: 3 })] });
const GONE = 'The kapsule could not be loaded';

test('the page of a kapsule that the user may no longer read says so, and comes back with the right; a text that is being typed stays until its dialog is closed', async () => {
  let isTaken = false;
  const unless = <T,>(answer: T) => (isTaken ? refuse('NOT_FOUND', 'There is no such kapsule.') : answer);
  const { user } = renderScreen(path, {
    as: adminUser,
    answers: {
      kapsules: { get: () => unless(kapsule), list: () => (isTaken ? [] : [kapsule]) },
      granules: { list: () => unless(page), history: () => [] },
      dataApi: { upsert: () => refuse('NOT_FOUND', 'There is no such kapsule.') },
    },
  });
  await screen.findByRole('table', { name: 'Granules' });
  isTaken = true;
  await user.click(screen.getByRole('columnheader', { name: 'Amount' }));
  const panel = within(await screen.findByRole('alert'));
  expect(panel.getByText(GONE)).toBeTruthy();
  expect(screen.queryByText('Sales', { selector: 'h1' })).toBeNull();
  isTaken = false;
  await user.click(panel.getByText('Retry'));
  expect(await screen.findByRole('table', { name: 'Granules' })).toBeTruthy();

  await user.click(screen.getByLabelText('Show details of A1'));
  await user.click(await screen.findByText('Edit', { selector: 'button *' }));
  const dialog = within(await screen.findByRole('dialog'));
  const comment = dialog.getByLabelText<HTMLTextAreaElement>('Comment');
  enter(comment, 'A long thought');
  isTaken = true;
  await user.click(dialog.getByText('Save'));
  expect(await dialog.findByText('There is no such kapsule.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('table', { name: 'Granules' })).toBeNull());
  expect(comment.isConnected).toBe(true);
  expect(comment.value).toBe('A long thought');
  expect(screen.queryByText(GONE)).toBeNull();
  await user.click(dialog.getByText('Cancel'));
  await user.click(await screen.findByText('Discard'));
  expect(await screen.findByText(GONE)).toBeTruthy();
});
