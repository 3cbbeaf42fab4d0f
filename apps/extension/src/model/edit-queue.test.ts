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

const asVersion4 = new Map([['A', { id: 'g', version: 4 }]]);
const save = () => queue.saved(queue.take(), asVersion4, 'me', 'now');

describe('edits', () => {
  it('are shown at once, wait, and are saved with the fields beside them and the version that was read', () => {
    queue.edit('A', 'comment', 'new');
    expect([queue.valueOf('A', 'comment'), queue.stateOf('A', 'comment')]).toEqual(['new', 'waiting']);
    expect(queue.stateOf('A', 'amount')).toBe('saved');
    const rows = queue.take();
    expect(rows).toEqual([{ key: 'A', data: { comment: 'new', amount: 1 }, version: 3 }]);
    expect(queue.take()).toEqual([]);
    queue.saved(rows, asVersion4, 'me', 'now');
    expect([queue.stateOf('A', 'comment'), queue.isEmpty, known.get('A')?.version]).toEqual([
      'saved',
      true,
      4,
    ]);
  });

  it('of a new key carry version 0, and an emptied cell has no field', () => {
    queue.edit('B', 'amount', 5);
    queue.edit('A', 'comment', null);
    expect(queue.take()).toEqual([
      { key: 'B', data: { amount: 5 }, version: 0 },
      { key: 'A', data: { amount: 1 }, version: 3 },
    ]);
  });

  it('that change nothing, or come back to the stored value, are not sent', () => {
    queue.edit('A', 'comment', 'old');
    queue.edit('A', 'comment', 'other');
    queue.edit('A', 'comment', 'old');
    expect([queue.take(), queue.isEmpty]).toEqual([[], true]);
  });

  it('made while a save is on its way follow it with the new version', () => {
    queue.edit('A', 'comment', 'first');
    const rows = queue.take();
    queue.edit('A', 'comment', 'second');
    expect(queue.take()).toEqual([]);
    queue.saved(rows, asVersion4, 'me', 'now');
    expect(queue.stateOf('A', 'comment')).toBe('waiting');
    expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'second', amount: 1 }, version: 4 }]);
  });

  it('wait again when the service did not answer, and later edits win over earlier ones', () => {
    queue.edit('A', 'comment', 'first');
    const rows = queue.take();
    queue.edit('A', 'comment', 'second');
    queue.returned(rows);
    expect(queue.take()).toMatchObject([{ data: { comment: 'second' } }]);
  });

  it('that are refused together are sent one by one, and only the wrong one fails', () => {
    queue.edit('A', 'amount', 2);
    queue.edit('B', 'amount', 3);
    queue.refused(queue.take(), 'too large');
    const first = queue.take();
    expect(first.map(({ key }) => key)).toEqual(['A']);
    queue.refused(first, 'too large');
    expect([queue.stateOf('A', 'amount'), queue.messageOf('A', 'amount')]).toEqual(['failed', 'too large']);
    expect(queue.take().map(({ key }) => key)).toEqual(['B']);
    queue.retry();
    expect(queue.take().map(({ key }) => key)).toEqual(['A']);
  });

  it('are sent in batches of bounded size', () => {
    for (let n = 0; n < 250; n++) queue.edit(`k${n}`, 'comment', 'x');
    expect([queue.take().length, queue.take().length, queue.take().length]).toEqual([100, 100, 50]);
  });
});

describe('undo', () => {
  it('takes edits back one by one, before they are sent', () => {
    queue.edit('A', 'comment', 'one');
    queue.edit('A', 'comment', 'two');
    expect(queue.undo()).toBe(0);
    expect(queue.valueOf('A', 'comment')).toBe('one');
    queue.undo();
    expect([queue.isEmpty, queue.canUndo, queue.undo()]).toEqual([true, false, 0]);
  });

  it('writes the earlier value again after a save', () => {
    queue.edit('A', 'comment', 'one');
    save();
    queue.undo();
    expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'old', amount: 1 }, version: 4 }]);
  });

  it('while a save is on its way follows it', () => {
    queue.edit('A', 'comment', 'one');
    const rows = queue.take();
    queue.undo();
    expect(queue.valueOf('A', 'comment')).toBe('old');
    queue.saved(rows, asVersion4, 'me', 'now');
    expect(queue.take()).toMatchObject([{ data: { comment: 'old' }, version: 4 }]);
  });
});

describe('conflicts', () => {
  const conflict = (data: Record<string, unknown>) => {
    queue.edit('A', 'comment', 'mine');
    queue.conflicted(queue.take(), new Map([['A', granule(7, data, 'bob')]]));
  };

  it('about other fields merge by themselves', () => {
    conflict({ comment: 'old', amount: 99 });
    expect(queue.stateOf('A', 'comment')).toBe('waiting');
    expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'mine', amount: 99 }, version: 7 }]);
  });

  it('about the same value are none', () => {
    conflict({ comment: 'mine', amount: 1 });
    expect(queue.stateOf('A', 'comment')).toBe('waiting');
  });

  it('keep both values until the person decides', () => {
    conflict({ comment: 'theirs', amount: 99 });
    expect([queue.stateOf('A', 'comment'), queue.valueOf('A', 'comment')]).toEqual(['conflict', 'mine']);
    expect(queue.conflictsOf('A')).toEqual([
      { key: 'A', field: 'comment', mine: 'mine', theirs: 'theirs', user: 'bob' },
    ]);
    expect(queue.take()).toEqual([]);
  });

  it('keep mine: replaces the value, not the fields beside it', () => {
    conflict({ comment: 'theirs', amount: 99 });
    queue.keepMine('A');
    expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'mine', amount: 99 }, version: 7 }]);
  });

  it('take theirs: shows the stored value and sends nothing', () => {
    conflict({ comment: 'theirs' });
    queue.takeTheirs('A');
    expect([queue.valueOf('A', 'comment'), queue.isEmpty]).toEqual(['theirs', true]);
  });

  it('of one row let the other rows of the save go on', () => {
    queue.edit('A', 'comment', 'mine');
    queue.edit('B', 'comment', 'mine too');
    queue.conflicted(queue.take(), new Map([['A', granule(7, { comment: 'theirs' })]]));
    expect(queue.take().map(({ key }) => key)).toEqual(['B']);
  });

  it('come again when others write once more before the own value is kept', () => {
    conflict({ comment: 'theirs' });
    queue.keepMine('A');
    queue.conflicted(queue.take(), new Map([['A', granule(8, { comment: 'newer' })]]));
    expect(queue.conflictsOf('A')).toMatchObject([{ mine: 'mine', theirs: 'newer' }]);
  });

  it('are found by a look-up too, before anything is sent', () => {
    queue.edit('A', 'comment', 'mine');
    queue.learn('A', granule(5, { comment: 'theirs' }, 'bob'));
    expect(queue.conflictsOf('A')).toMatchObject([{ theirs: 'theirs', user: 'bob' }]);
  });

  it('are not made by a look-up that is older than the last save, or overtaken by one', () => {
    queue.edit('A', 'comment', 'mine');
    const rows = queue.take();
    queue.learn('A', granule(3, { comment: 'old' }));
    queue.saved(rows, asVersion4, 'me', 'now');
    queue.learn('A', granule(3, { comment: 'old' }));
    expect([queue.valueOf('A', 'comment'), known.get('A')?.version]).toEqual(['mine', 4]);
  });

  it('of a deleted granule leave an empty value of the others', () => {
    queue.edit('A', 'comment', 'mine');
    queue.conflicted(queue.take(), new Map([['A', { ...granule(0, {}), user: '' }]]));
    expect(queue.conflictsOf('A')).toMatchObject([{ theirs: null }]);
    queue.keepMine('A');
    expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'mine' }, version: 0 }]);
  });
});

describe('values that others change while an editor is open', () => {
  it('are a conflict, because the person has not seen them', () => {
    queue.learn('A', granule(4, { comment: 'theirs', amount: 1 }, 'bob'));
    queue.edit('A', 'comment', 'mine', { seen: 'old' });
    expect(queue.conflictsOf('A')).toMatchObject([{ mine: 'mine', theirs: 'theirs' }]);
    expect(queue.take()).toEqual([]);
  });

  it('are none when both have written the same, or the others another field', () => {
    queue.learn('A', granule(4, { comment: 'same', amount: 2 }, 'bob'));
    queue.edit('A', 'comment', 'same', { seen: 'old' });
    queue.edit('A', 'amount', 3, { seen: 2 });
    expect(queue.take()).toEqual([{ key: 'A', data: { comment: 'same', amount: 3 }, version: 4 }]);
  });
});

describe('rows that wait for the Save button', () => {
  it('are sent when they are released', () => {
    queue.edit('A', 'comment', 'new', { isHeld: true });
    expect([queue.take(), queue.isHeld, queue.stateOf('A', 'comment')]).toEqual([[], true, 'waiting']);
    queue.release();
    expect([queue.isHeld, queue.take().length]).toEqual([false, 1]);
  });
});

describe('required fields', () => {
  it('keep a row back while they are empty, and are shown at their cells', () => {
    queue.required = ['amount'];
    queue.edit('B', 'comment', 'new');
    expect([queue.take(), queue.incomplete]).toEqual([[], 1]);
    expect([queue.stateOf('B', 'amount'), queue.stateOf('B', 'comment')]).toEqual(['invalid', 'waiting']);
    expect(queue.messageOf('B', 'amount')).toBe('Please fill in this field.');
    queue.edit('B', 'amount', 0);
    expect(queue.take()).toMatchObject([{ data: { comment: 'new', amount: 0 } }]);
  });

  it('do not touch rows that the person has not edited', () => {
    queue.required = ['other'];
    expect(queue.stateOf('A', 'other')).toBe('saved');
  });
});

describe('invalid values', () => {
  beforeEach(() => queue.refuse('A', 'amount', 'many', 'no number'));

  it('are shown in their cell and never sent', () => {
    expect([queue.valueOf('A', 'amount'), queue.stateOf('A', 'amount')]).toEqual(['many', 'invalid']);
    expect([queue.messageOf('A', 'amount'), queue.take(), queue.isEmpty]).toEqual(['no number', [], false]);
  });

  it('are replaced by a value, also by the stored one', () => {
    queue.edit('A', 'amount', 1);
    expect([queue.stateOf('A', 'amount'), queue.isEmpty]).toEqual(['saved', true]);
    queue.refuse('A', 'amount', 'many', 'no number');
    queue.edit('A', 'amount', 2);
    expect(queue.take()).toMatchObject([{ data: { amount: 2 } }]);
  });

  it('are taken back by undo', () => {
    queue.undo();
    expect([queue.valueOf('A', 'amount'), queue.isEmpty]).toEqual([1, true]);
  });
});
