import { screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';
import type { renderScreen } from './render-screen.tsx';

export const notice = () => screen.queryByText('Service unreachable');

/** The service is away until the person asks again, after what they do meanwhile. */
export async function outage(
  { service, user }: ReturnType<typeof renderScreen>,
  meanwhile: () => Promise<void> = async () => {},
) {
  vi.stubGlobal('fetch', async () => {
    throw new TypeError('no connection');
  });
  // The same probe as every 30 seconds.
  window.dispatchEvent(new Event('online'));
  await waitFor(() => expect(notice()).not.toBeNull());
  await meanwhile();
  vi.stubGlobal('fetch', service.fetch);
  await user.click(screen.getByText('Try now'));
  await waitFor(() => expect(notice()).toBeNull());
}
