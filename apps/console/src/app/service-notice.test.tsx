import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { fullSettings } from '../features/settings/settings-fixture.ts';
import type { Answers } from '../testing/fake-service.ts';
import { adminUser, renderScreen } from '../testing/render-screen.tsx';

const answers: Answers = { kapsules: { list: () => [] } };
const notice = () => screen.queryByText('Service unreachable');

/** The service is away until the person asks again. */
async function outage({ service, user }: ReturnType<typeof renderScreen>) {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no connection');
  });
  // The same probe as every 30 seconds.
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(notice()).not.toBeNull());
  vi.stubGlobal('fetch', service.fetch);
  await user.click(screen.getByText('Try now'));
  await waitFor(() => expect(notice()).toBeNull());
}

test('an idle page says that the service is unreachable, and shows fresh data when it is back', async () => {
  const shown = renderScreen('/data/kapsules', { as: adminUser, answers });
  const { service } = shown;
  await screen.findByRole('heading', { name: 'Kapsules' });
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(1));
  expect(notice()).toBeNull();

  await outage(shown);
  await waitFor(() => expect(service.callsOf('kapsules.list')).toHaveLength(2));
});

test('what is typed into the settings stays when the service is back', async () => {
  const settings = { get: () => fullSettings() };
  const shown = renderScreen('/data/setting', { as: adminUser, answers: { ...answers, settings } });
  const { service } = shown;
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  fireEvent.change(name, { target: { value: 'typed' } });
  const before = service.callsOf('settings.state').length;
  await outage(shown);
  // What the page shows besides is fetched again.
  await waitFor(() => expect(service.callsOf('settings.state').length).toBeGreaterThan(before));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('typed');
});
