import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SourceChanges } from './source-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A source whose polls are counted, and a listener whose notifications are counted. */
function polledSource() {
  const seen = { change: 1, polls: 0, notified: 0, failure: undefined as object | undefined };
  const changes = new SourceChanges();
  const readChange = async () => {
    seen.polls += 1;
    if (seen.failure) throw seen.failure;
    return seen.change;
  };
  changes.subscribe('k', readChange, () => void (seen.notified += 1));
  return { seen, changes };
}

describe('the changes of a data source', () => {
  it('are notified once each: those of other processes by the next poll, those of this process directly', async () => {
    const { seen, changes } = polledSource();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.notified).toBe(1);
    seen.change = 2;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen.notified).toBe(2);
    seen.change = 3;
    await changes.notify('k');
    expect(seen.notified).toBe(3);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen.notified).toBe(3);
    changes.close();
  });

  it.each([
    ['is down', { category: 'refused' }, 7],
    ['refuses the login', { category: 'login' }, 4],
  ])('are polled with back-off while it %s, and every second again afterwards', async (_, failure, polls) => {
    const { seen, changes } = polledSource();
    seen.failure = failure;
    await vi.advanceTimersByTimeAsync(3 * 60_000 + 1_000);
    expect(seen.polls).toBe(polls);
    seen.failure = undefined;
    await vi.advanceTimersByTimeAsync(60_000);
    const before = seen.polls;
    await vi.advanceTimersByTimeAsync(3_000);
    expect(seen.polls - before).toBe(3);
    expect(seen.notified).toBe(1);
    changes.close();
  });
});
