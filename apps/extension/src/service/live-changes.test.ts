import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveChanges, liveTimes } from './live-changes.ts';
import { ServiceError, SignedOutError } from './service-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Sink = ReadableStreamDefaultController<Uint8Array>;
const bytes = (text: string) => new TextEncoder().encode(text);
const settled = () => vi.advanceTimersByTimeAsync(0);

/** Streams that a test writes into; each `failure` is thrown instead of the next one. */
function following(...failures: Error[]) {
  const sinks: Sink[] = [];
  const told = { changed: 0, signedOut: 0 };
  const live = new LiveChanges({
    events: async (signal) => {
      const failure = failures.shift();
      if (failure) throw failure;
      return new ReadableStream<Uint8Array>({
        start(sink) {
          sinks.push(sink);
          signal.addEventListener('abort', () => sink.error(signal.reason));
        },
      });
    },
    changed: () => void (told.changed += 1),
    signedOut: () => void (told.signedOut += 1),
  });
  return { live, sinks, told };
}

describe('live changes', () => {
  it('tell events, whole or in pieces, and no heartbeats', async () => {
    const { live, sinks, told } = following();
    live.want(true);
    live.want(true);
    await settled();
    expect(sinks).toHaveLength(1);
    sinks[0]?.enqueue(bytes('event: counts\nda'));
    await settled();
    expect(told.changed).toBe(0);
    sinks[0]?.enqueue(bytes('ta: {}\n\n: alive\n\n'));
    await settled();
    sinks[0]?.enqueue(bytes(': alive\n\n'));
    await settled();
    expect(told.changed).toBe(1);
    live.want(false);
  });

  it('are followed again after the stream has ended, with back-off while it can not be opened', async () => {
    const { live, sinks } = following(new TypeError('offline'), new TypeError('offline'));
    live.want(true);
    await vi.advanceTimersByTimeAsync(liveTimes.firstPauseMs);
    expect(sinks).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(2 * liveTimes.firstPauseMs);
    expect(sinks).toHaveLength(1);
    sinks[0]?.close();
    await vi.advanceTimersByTimeAsync(liveTimes.longestPauseMs);
    expect(sinks).toHaveLength(2);
    live.want(false);
  });

  it.each([
    ['without a token, which is told', new SignedOutError(), 1],
    ['without the right', new ServiceError(404, 'no'), 0],
  ])('end %s', async (_, failure, signedOut) => {
    const { live, sinks, told } = following(failure);
    live.want(true);
    await vi.advanceTimersByTimeAsync(10 * liveTimes.longestPauseMs);
    expect([sinks.length, told]).toEqual([0, { changed: 0, signedOut }]);
    live.want(false);
  });

  it('of more kapsules than a page has connections for are polled', async () => {
    const all = Array.from({ length: 4 }, () => following());
    for (const { live } of all) live.want(true);
    await settled();
    expect(all.map(({ sinks }) => sinks.length)).toEqual([1, 1, 1, 0]);
    await vi.advanceTimersByTimeAsync(liveTimes.pollMs);
    expect(all[3]?.told.changed).toBe(1);
    for (const { live } of all) live.want(false);
  });

  it('are not followed when they are no longer wanted', async () => {
    const { live, sinks, told } = following();
    live.want(true);
    await settled();
    live.want(false);
    await vi.advanceTimersByTimeAsync(liveTimes.longestPauseMs);
    expect([sinks.length, told.signedOut]).toEqual([1, 0]);
  });
});
