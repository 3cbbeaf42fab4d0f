import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { plainUser, renderScreen } from '../../testing/render-screen.tsx';
import { pageOf, path, serviceWith } from './granules-fixture.ts';

/** A stream of events a test can write to. */
function eventStream() {
  let sink: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      sink = controller;
    },
  });
  return {
    response: () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    send: (text: string) => sink?.enqueue(new TextEncoder().encode(text)),
  };
}
const counts = (total: number) =>
  `event: counts\ndata: ${JSON.stringify({ total, reloaded: 12_000, notReloaded: total - 12_000 })}\n\n`;
const total = () => screen.getByText('Total Records').nextSibling?.textContent;

test('new records change the counts at once and the rows only when asked to', async () => {
  const events = eventStream();
  let all = 12_345;
  const list = () => pageOf({ summary: { total: all, reloaded: 12_000, notReloaded: all - 12_000 } });
  const { user, service } = renderScreen(path, {
    as: plainUser,
    answers: serviceWith({ list, events: events.response }),
  });
  await waitFor(() => expect(service.callsOf('granules.events')).toHaveLength(1));
  expect(service.callsOf('granules.events')[0]?.authorization).toBe('Bearer token-1');
  // As it is: nothing new. The event comes in two pieces.
  events.send(counts(12_345).slice(0, 20));
  events.send(counts(12_345).slice(20));
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByRole('button', { name: 'show' })).toBeNull();

  const asked = service.callsOf('granules.list').length;
  all = 12_347;
  events.send(counts(12_347));
  expect(await screen.findByText(/2 new records –/)).toBeTruthy();
  expect(total()).toBe('12,347');
  expect(service.callsOf('granules.list')).toHaveLength(asked);
  await user.click(screen.getByRole('button', { name: 'show' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'show' })).toBeNull());
  expect(service.callsOf('granules.list').length).toBeGreaterThan(asked);
});

test('a service that knows no events is asked once', async () => {
  const { service } = renderScreen(path, { as: plainUser, answers: serviceWith() });
  await waitFor(() => expect(service.callsOf('granules.events')).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 1500));
  expect(service.callsOf('granules.events')).toHaveLength(1);
});

test('a connection that breaks is made again', async () => {
  const { service } = renderScreen(path, {
    as: plainUser,
    answers: serviceWith({ events: () => new Response(counts(12_345)) }),
  });
  await waitFor(() => expect(service.callsOf('granules.events').length).toBeGreaterThan(1));
});
