import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { pageOf, path, serviceWith } from './granules-fixture.ts';

const summary = (total: number) => ({ total, reloaded: 12_000, notReloaded: total - 12_000 });

test('new records change the counts at once and the rows only when asked to', async () => {
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  const events = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        start: (controller) => {
          sink = controller;
        },
      }),
    );
  let total = 12_345;
  const { user, service } = renderScreen(path, {
    as: plainUser,
    answers: serviceWith({ list: () => pageOf({ summary: summary(total) }), events }),
  });
  await waitFor(() => expect(service.callsOf('granules.events')).toHaveLength(1));
  expect(service.callsOf('granules.events')[0]?.authorization).toBe('Bearer token-1');
  // The next page is fetched ahead.
  await waitFor(() => expect(service.callsOf('granules.list')).toHaveLength(2));

  total = 12_347;
  sink?.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(summary(total))}\n\n`));
  expect(await screen.findByText(/2 new granules –/)).toBeTruthy();
  expect(screen.getByText('Total Records').nextSibling?.textContent).toBe('12,347');
  expect(service.callsOf('granules.list')).toHaveLength(2);
  await user.click(screen.getByText('show'));
  await waitFor(() => expect(screen.queryByText('show')).toBeNull());
  expect(service.callsOf('granules.list').length).toBeGreaterThan(2);
});
