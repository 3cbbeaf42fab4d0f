import { beforeEach, expect, it } from 'vitest';
import { EditHistory } from './edit-history.ts';
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
  expect([queue.valueOf('k0', 'comment'), queue.valueOf('k9999', 'comment')]).toEqual([undefined, undefined]);
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

it('what was taken back is done again, until something else is edited', () => {
  queue.act(() => {
    queue.edit('A', 'comment', 'one');
    queue.edit('B', 'comment', 'two');
    queue.refuse('B', 'amount', 'many', 'no number');
  });
  const shown = () => ['A', 'B'].map((key) => queue.valueOf(key, 'comment') ?? null);
  queue.undo();
  expect([shown(), queue.invalid.isEmpty, queue.canUndo, queue.canRedo]).toEqual([
    ['old', null],
    true,
    false,
    true,
  ]);
  expect(queue.redo()).toBe(0);
  expect([shown(), queue.valueOf('B', 'amount'), queue.canRedo]).toEqual([['one', 'two'], 'many', false]);
  queue.undo();
  queue.edit('A', 'comment', 'other');
  expect([queue.canRedo, queue.redo(), shown()]).toEqual([false, 0, ['other', null]]);
});

it('an edit that was never stored is withdrawn: what others wrote meanwhile stays', () => {
  queue.edit('A', 'comment', 'mine');
  queue.learn('A', written(2, 'bob', 'bob'));
  expect(queue.stateOf('A', 'comment')).toBe('conflict');
  expect(queue.undo()).toBe(0);
  expect([queue.valueOf('A', 'comment'), queue.isEmpty, queue.take()]).toEqual(['bob', true, []]);
  // Others have changed the cell: the edit is not done again over it.
  expect([queue.redo(), queue.valueOf('A', 'comment')]).toEqual([1, 'bob']);
});

it('an edit whose save was not answered is taken back in the service too, without a conflict', () => {
  queue.edit('A', 'comment', 'mine');
  queue.returned(queue.take());
  queue.undo();
  const rows = queue.take();
  expect(rows).toEqual([{ key: 'A', data: { comment: 'old' }, version: 1 }]);
  // The save had arrived.
  queue.conflicted(rows, new Map([['A', written(2, 'mine', 'ann')]]));
  expect(queue.stateOf('A', 'comment')).toBe('waiting');
  expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'old' }, version: 2 }]);
});

it('a value that the service has refused is taken back with its text', () => {
  queue.edit('A', 'comment', 'bad');
  queue.rejected(queue.take(), [{ key: 'A', field: 'comment', text: 'bad', message: 'no' }], '');
  expect([queue.stateOf('A', 'comment'), queue.undo()]).toEqual(['invalid', 0]);
  expect([queue.valueOf('A', 'comment'), queue.isEmpty]).toEqual(['old', true]);
});

it('a correction of an invalid text brings the text back', () => {
  queue.refuse('A', 'amount', 'many', 'no number');
  queue.edit('A', 'amount', 5);
  queue.undo();
  expect(queue.messageOf('A', 'amount')).toBe('no number');
  queue.undo();
  expect([queue.isEmpty, queue.canUndo]).toEqual([true, false]);
});

it('of very many edits the last ones can be taken back', () => {
  const history = new EditHistory();
  const content = { value: null, invalid: undefined };
  for (let paste = 0; paste < 3; paste += 1)
    history.group(() => {
      for (let n = 0; n < 200_000; n += 1)
        history.add({ key: `k${n}`, field: 'comment', before: content, after: content });
    });
  expect([history.undo(() => true), history.undo(() => true), history.canUndo]).toEqual([0, 0, false]);
  expect(history.canRedo).toBe(true);
});
