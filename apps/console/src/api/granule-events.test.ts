import { describe, expect, test, vi } from 'vitest';
import { fakeService, refuse } from '../testing/fake-service.ts';
import { type LiveCounts, listen } from './granule-events.ts';

const counts = (total: number) => ({ total, reloaded: 0, notReloaded: total });
const eventOf = (data: unknown) => `event: counts\ndata: ${JSON.stringify(data)}\n\n`;

/** A stream that sends these pieces and ends. */
const streamOf = (...pieces: string[]) =>
  new Response(
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  );

/** Listens to these answers, one per connection, and stops at the pause after the last. */
async function listenTo(...answers: (() => Response)[]) {
  const service = fakeService({ granules: { events: () => answers.shift()?.() ?? refuse('NOT_FOUND', '') } });
  vi.stubGlobal('fetch', service.fetch);
  const heard: LiveCounts[] = [];
  const pauses: number[] = [];
  const stop = new AbortController();
  await listen(
    'k1',
    stop.signal,
    (live) => heard.push(live),
    async (ms) => {
      pauses.push(ms);
      if (answers.length === 0) stop.abort();
    },
  );
  return { heard, pauses, connections: service.callsOf('granules.events').length };
}

describe('listening to the counts of a kapsule', () => {
  test('reads events however they are cut into pieces, and knows the first of each connection', async () => {
    const [one, two] = [eventOf(counts(1)), eventOf(counts(2))];
    const { heard } = await listenTo(
      () => streamOf(one.slice(0, 20), one.slice(20) + two),
      () => streamOf(eventOf(counts(3))),
    );
    expect(heard.map(({ counts: { total }, isFirst }) => [total, isFirst])).toEqual([
      [1, true],
      [2, false],
      [3, true],
    ]);
  });

  test('connects again after a refusal and after the end of a stream, and waits longer after each failure in a row', async () => {
    const busy = () => refuse('UNAVAILABLE', 'later');
    const { pauses, connections } = await listenTo(busy, busy, () => streamOf(eventOf(counts(1))), busy);
    expect(connections).toBe(4);
    // Each pause is random: at least half of the longest that its turn allows.
    const longest = [1000, 2000, 1000, 2000];
    for (const [index, pause] of pauses.entries()) {
      expect(pause).toBeGreaterThanOrEqual((longest[index] ?? 0) / 2);
      expect(pause).toBeLessThanOrEqual(longest[index] ?? 0);
    }
  });

  test('asks a service that knows no events, or refuses them, only once', async () => {
    for (const code of ['NOT_FOUND', 'FORBIDDEN'] as const) {
      const { pauses, connections } = await listenTo(() => refuse(code, ''));
      expect([pauses, connections]).toEqual([[], 1]);
    }
  });

  test('ignores what is no event of counts', async () => {
    const { heard } = await listenTo(() =>
      streamOf('data: {"total":"x"}\n\n', 'data: no json\n\n', ': ping\n\n'),
    );
    expect(heard).toEqual([]);
  });
});
