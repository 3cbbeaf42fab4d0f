import { beforeEach, describe, expect, it } from 'vitest';
import { EditQueue } from './edit-queue.ts';
import { KnownGranules } from './known-granules.ts';

let known: KnownGranules;
let queue: EditQueue;
const granule = (version: number, data: Record<string, unknown>, user = 'ann') => ({
  id: version === 0 ? '' : 'g',
  version,
  data,
  user,
  updatedAt: '2026-01-01T00:00:00.000Z',
});

beforeEach(() => {
  known = new KnownGranules();
  known.set('A', granule(3, { comment: 'old', amount: 1 }));
  known.set('B', granule(0, {}));
  queue = new EditQueue(known);
});

describe('edits that an earlier page has left', () => {
  const left = () => {
    queue.edit('A', 'comment', 'mine');
    queue.edit('B', 'amount', 5);
    queue.take();
    return JSON.parse(JSON.stringify(queue.kept())) as ReturnType<EditQueue['kept']>;
  };

  it('come back before their granules are known, and are sent', () => {
    const rows = left();
    known = new KnownGranules();
    queue = new EditQueue(known);
    queue.restore(rows);
    expect([queue.valueOf('A', 'comment'), queue.stateOf('B', 'amount')]).toEqual(['mine', 'waiting']);
    queue.learn('A', granule(3, { comment: 'old', amount: 1 }));
    expect(queue.take()).toEqual([
      { key: 'A', data: { comment: 'mine', amount: 1 }, version: 3 },
      { key: 'B', data: { amount: 5 }, version: 0 },
    ]);
  });

  it('are a conflict where others wrote meanwhile', () => {
    const rows = left();
    queue = new EditQueue(new KnownGranules());
    queue.restore(rows);
    queue.conflicted(queue.take(), new Map([['A', granule(5, { comment: 'theirs' }, 'bob')]]));
    expect(queue.conflictsOf('A')).toMatchObject([{ mine: 'mine', theirs: 'theirs' }]);
    expect(queue.stateOf('B', 'amount')).toBe('waiting');
  });

  it('come back with the texts that are no values', () => {
    queue.refuse('A', 'amount', 'many', 'no number');
    queue.edit('A', 'comment', 'mine');
    queue.refuse('C', 'amount', 'few', 'no number');
    const rows = JSON.parse(JSON.stringify(queue.kept())) as ReturnType<EditQueue['kept']>;
    queue = new EditQueue(known);
    queue.restore(rows);
    expect([queue.valueOf('A', 'amount'), queue.messageOf('C', 'amount')]).toEqual(['many', 'no number']);
    expect(queue.take()).toMatchObject([{ key: 'A', data: { comment: 'mine', amount: 1 } }]);
  });

  it('do not replace what the person has written since', () => {
    const rows = left();
    queue = new EditQueue(known);
    queue.edit('A', 'comment', 'newer');
    queue.restore(rows);
    expect(queue.valueOf('A', 'comment')).toBe('newer');
  });
});
