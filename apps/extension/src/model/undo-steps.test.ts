import { beforeEach, expect, it } from 'vitest';
import { EditQueue } from './edit-queue.ts';
import { KnownGranules } from './known-granules.ts';

let known: KnownGranules;
let queue: EditQueue;
const written = (version: number, comment: string, user: string) => ({
  id: 'g',
  version,
  data: { comment },
  user,
  updatedAt: '2026-01-01T00:00:00.000Z',
});
/** The service stores what waits. */
function save(): void {
  const rows = queue.take();
  const stored = new Map(rows.map(({ key, version }) => [key, { id: 'g', version: version + 1 }]));
  queue.saved(rows, stored, 'ann', 'now');
}

beforeEach(() => {
  known = new KnownGranules();
  known.set('A', written(1, 'old', 'ann'));
  queue = new EditQueue(known);
});

it('a paste is taken back at once, however many cells it has filled', () => {
  queue.edit('A', 'comment', 'before');
  queue.act(() => {
    for (let n = 0; n < 10_000; n += 1) queue.edit(`k${n}`, 'comment', `pasted ${n}`);
    queue.refuse('A', 'amount', 'many', 'no number');
  });
  expect(queue.undo()).toBe(0);
  expect([queue.valueOf('k0', 'comment'), queue.valueOf('k9999', 'comment')]).toEqual([null, null]);
  expect([queue.valueOf('A', 'amount'), queue.valueOf('A', 'comment')]).toEqual([undefined, 'before']);
  expect(queue.undo()).toBe(0);
  expect([queue.valueOf('A', 'comment'), queue.canUndo]).toEqual(['old', false]);
});

it('what others have written since is left, and counted', () => {
  for (const comment of ['ann 1', 'ann 2']) {
    queue.edit('A', 'comment', comment);
    save();
  }
  queue.learn('A', written(4, 'bob 3', 'bob'));
  expect([queue.undo(), queue.undo()]).toEqual([1, 1]);
  expect([queue.valueOf('A', 'comment'), queue.take(), queue.canUndo]).toEqual(['bob 3', [], false]);
});

it('a saved edit is taken back by another save, and a conflict shows what others wrote unseen', () => {
  queue.edit('A', 'comment', 'ann 1');
  save();
  queue.undo();
  const rows = queue.take();
  expect(rows).toEqual([{ key: 'A', data: { comment: 'old' }, version: 2 }]);
  queue.conflicted(rows, new Map([['A', written(3, 'bob 2', 'bob')]]));
  expect(queue.conflictsOf('A')).toMatchObject([{ mine: 'old', theirs: 'bob 2' }]);
});

it('a key that is twice in a paste has its first value again', () => {
  queue.act(() => {
    queue.edit('A', 'comment', 'one');
    queue.edit('A', 'comment', 'two');
  });
  queue.undo();
  expect([queue.valueOf('A', 'comment'), queue.isEmpty]).toEqual(['old', true]);
});
