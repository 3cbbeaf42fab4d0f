import type { Kapsule } from '@kaptain/contract/kapsules';
import type { Writers } from '@kaptain/contract/vocabulary';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { adminUser, plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { kapsule, path, serviceWith } from './granules-fixture.ts';

const served = (writers: () => Writers, setWriters: () => Kapsule | Response = () => kapsule) => {
  const answered = () => ({ ...kapsule, writers: writers(), ownerId: 'u-owner' });
  return serviceWith({}, { kapsules: { get: answered, list: () => [answered()], setWriters } });
};

test('an ADMIN chooses who may write, and a refusal leaves the choice as it was', async () => {
  let writers: Writers = 'DELETE';
  let isRefused = false;
  const setWriters = () => {
    if (isRefused)
      return Response.json({ status: 'error', code: 'FORBIDDEN', message: 'No.' }, { status: 403 });
    writers = 'EVERYONE';
    return { ...kapsule, writers };
  };
  const { user, service } = renderScreen(path, { as: adminUser, answers: served(() => writers, setWriters) });
  const choose = async (name: string) => {
    await user.click(await screen.findByRole('combobox', { name: 'Who may save granules' }));
    await user.click(await screen.findByTitle(name));
  };
  await choose('Everyone on Qlik');
  expect(await screen.findByText('Who may save granules is set.')).toBeTruthy();
  expect(service.callsOf('kapsules.setWriters')[0]?.body).toEqual({ writers: 'EVERYONE' });
  isRefused = true;
  await choose('All who may read');
  expect(await screen.findByText('No.')).toBeTruthy();
  const shown = () => screen.getByText('Who may save granules').parentElement?.textContent;
  await waitFor(() => expect(shown()).toContain('Everyone on Qlik'));
});

test('a user who is not the owner is not asked', async () => {
  renderScreen(path, { as: plainUser, answers: served(() => 'DELETE') });
  expect(await screen.findByText('Total Records')).toBeTruthy();
  expect(screen.queryByText('Who may save granules')).toBeNull();
});
