import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { outage } from '../../testing/outage.ts';
import { adminUser, renderScreen } from '../../testing/render-screen.tsx';
import { fullSettings } from './settings-fixture.ts';

test('what is typed into the settings stays when the service is back', async () => {
  const settings = { get: () => fullSettings() };
  const shown = renderScreen('/data/setting', { as: adminUser, answers: { settings } });
  const { service } = shown;
  const name = await screen.findByLabelText<HTMLInputElement>('Name');
  fireEvent.change(name, { target: { value: 'typed' } });
  const before = service.callsOf('settings.state').length;
  await outage(shown);
  // What the page shows besides is fetched again.
  await waitFor(() => expect(service.callsOf('settings.state').length).toBeGreaterThan(before));
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('typed');
});
