import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import type { Answers } from '../testing/fake-service.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';

const answers: Answers = { kapsules: { list: () => [] } };
const notice = () => screen.queryByText('Service unreachable');

test('an idle page says that the service is unreachable, and shows fresh data when it is back', async () => {
  const { service, user } = renderScreen('/data/kapsules', { as: adminUser, answers });
  await screen.findByRole('heading', { name: 'Kapsules' });
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(1));
  expect(notice()).toBeNull();

  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no connection');
  });
  // The same probe as every 30 seconds.
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(notice()).not.toBeNull());
  vi.stubGlobal('fetch', service.fetch);
  await user.click(screen.getByText('Try now'));
  await waitFor(() => expect(notice()).toBeNull());
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(2));
});
