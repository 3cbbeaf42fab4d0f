import { screen, waitFor } from '@testing-library/react';
import { lazy } from 'react';
import { expect, test } from 'vitest';
import { untilServiceAnswers } from '../api/reachability.ts';
import { PageTitle } from '../shared/PageHeader.tsx';
import type { Answers } from '../testing/fake-service.ts';
import { notice, outage } from '../testing/outage.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';
import { type Screen, screens } from './screens.ts';

const answers: Answers = { kapsules: { list: () => [] } };
const heading = (name: string) => screen.findByRole('heading', { name });

test('an idle page says that the service is unreachable and a new one that it waits; both are brought up to date when it is back', async () => {
  // Its code waits for the service, as api/load-code.ts does with the files of the build.
  const late: Screen = {
    path: '/late',
    title: () => 'Late',
    access: 'loggedIn',
    menu: 'top',
    Page: lazy(async () => {
      await untilServiceAnswers();
      return { default: () => <PageTitle>The late page</PageTitle> };
    }),
  };
  const shown = renderScreen('/data/kapsules', {
    as: adminUser,
    answers,
    screens: [...screens, late],
    isMenuOpen: true,
  });
  const { service, user } = shown;
  await heading('Kapsules');
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(1));
  expect(notice()).toBeNull();

  await outage(shown);
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(2));

  // A page whose code is not loaded yet says so, and appears when the service is back; others open meanwhile.
  const go = (name: string) => user.click(screen.getByRole('link', { name }));
  await outage(shown, async () => {
    await go('Late');
    await heading('Waiting for the service');
    await go('Kapsules');
    await heading('Kapsules');
    await go('Late');
    await heading('Waiting for the service');
  });
  expect(await heading('The late page')).toBeTruthy();
  expect(screen.queryByText('Waiting for the service')).toBeNull();
});
