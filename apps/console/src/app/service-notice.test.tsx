import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Answers } from '../testing/fake-service.ts';
import { notice, outage } from '../testing/outage.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';

const answers: Answers = { kapsules: { list: () => [] } };

test('an idle page says that the service is unreachable, and shows fresh data when it is back', async () => {
  const shown = renderScreen('/data/kapsules', { as: adminUser, answers });
  const { service } = shown;
  await screen.findByRole('heading', { name: 'Kapsules' });
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(1));
  expect(notice()).toBeNull();

  await outage(shown);
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(2));
});
