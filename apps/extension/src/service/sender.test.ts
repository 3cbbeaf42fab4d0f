import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EditQueue } from '../model/edit-queue.ts';
import type { SavedRow } from '../model/edited-row.ts';
import { KnownGranules } from '../model/known-granules.ts';
import { Sender } from './sender.ts';
import type { SaveOutcome } from './service-client.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A service that gives these outcomes in turn, then saves everything. */
function sending(...outcomes: SaveOutcome[]) {
  const queue = new EditQueue(new KnownGranules());
  const saves: SavedRow[][] = [];
  const told: string[] = [];
  const save = async (rows: readonly SavedRow[]): Promise<SaveOutcome> => {
    saves.push([...rows]);
    const stored = new Map(rows.map(({ key, version }) => [key, { id: key, version: version + 1 }]));
    return outcomes.shift() ?? { kind: 'saved', stored };
  };
  const sender = new Sender({
    queue,
    client: { save },
    stored: () => undefined,
    author: () => 'me',
    refusedCells: async (refused) =>
      refused.map(({ key, field, message, value }) => ({ key, field, message, text: String(value) })),
    changed: (kind) => void told.push(kind),
  });
  return { queue, sender, saves, told };
}

describe('the sender', () => {
  it('sends everything that waits', async () => {
    const { queue, sender, saves } = sending();
    for (let n = 0; n < 150; n++) queue.edit(`k${n}`, 'a', n);
    await sender.send();
    expect([saves.map(({ length }) => length), queue.isEmpty]).toEqual([[100, 50], true]);
  });

  it('tries again with back-off while the service is away, and loses nothing', async () => {
    const { queue, sender, saves } = sending({ kind: 'unavailable' }, { kind: 'unavailable' });
    queue.edit('k', 'a', 1);
    await sender.send();
    expect([saves.length, queue.stateOf('k', 'a')]).toEqual([1, 'waiting']);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(saves).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(saves).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect([saves.length, queue.isEmpty]).toEqual([3, true]);
  });

  it('sends the good values of a save again without those that were refused', async () => {
    const refused = [{ key: 'k', field: 'a', rule: 'max', value: 9, message: 'too much' }] as const;
    const { queue, sender, saves } = sending({ kind: 'valuesRefused', refused, message: 'Refused.' });
    queue.edit('k', 'a', 9);
    queue.edit('k', 'b', 1);
    queue.edit('l', 'a', 2);
    await sender.send();
    expect(saves[1]?.map(({ key, data }) => [key, data])).toEqual([
      ['k', { b: 1 }],
      ['l', { a: 2 }],
    ]);
    expect([queue.valueOf('k', 'a'), queue.messageOf('k', 'a')]).toEqual(['9', 'too much']);
  });

  it('keeps a refused text whole, though the answer shortens it', async () => {
    const [typed, told] = ['t'.repeat(500), `${'t'.repeat(200)}…`];
    const refused = [{ key: 'k', field: 'a', rule: 'pattern', value: told, message: 'no' }] as const;
    const { queue, sender } = sending({ kind: 'valuesRefused', refused, message: 'Refused.' });
    queue.edit('k', 'a', typed);
    await sender.send();
    expect([queue.valueOf('k', 'a'), queue.messageOf('k', 'a')]).toEqual([typed, 'no']);
  });

  it('waits as long as the service says', async () => {
    const { queue, sender, saves } = sending({ kind: 'unavailable', retryAfterMs: 20_000 });
    queue.edit('k', 'a', 1);
    await sender.send();
    await vi.advanceTimersByTimeAsync(19_999);
    expect(saves).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect([saves.length, queue.isEmpty]).toEqual([2, true]);
  });

  it('waits for the next sign-in without a token', async () => {
    const { queue, sender, saves, told } = sending({ kind: 'signedOut' });
    queue.edit('k', 'a', 1);
    await sender.send();
    await vi.advanceTimersByTimeAsync(600_000);
    expect([saves.length, told, queue.stateOf('k', 'a')]).toEqual([1, ['signedOut'], 'waiting']);
    await sender.send();
    expect(queue.isEmpty).toBe(true);
  });

  it('goes on with other rows after a refusal', async () => {
    const { queue, sender } = sending({ kind: 'refused', message: 'no' }, { kind: 'refused', message: 'no' });
    queue.edit('k', 'a', 1);
    queue.edit('l', 'a', 2);
    await sender.send();
    expect([queue.stateOf('k', 'a'), queue.stateOf('l', 'a')]).toEqual(['failed', 'saved']);
  });

  it('stops when it has ended', async () => {
    const { queue, sender, saves } = sending({ kind: 'unavailable' });
    queue.edit('k', 'a', 1);
    await sender.send();
    sender.end();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(saves).toHaveLength(1);
  });
});
