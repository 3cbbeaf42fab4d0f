import { beforeEach, describe, expect, it } from 'vitest';
import { EditQueue } from './edit-queue.ts';
import { KnownGranules } from './known-granules.ts';

let queue: EditQueue;
const refused = (key: string, field: string, text: string) => ({ key, field, text, message: 'too much' });

beforeEach(() => {
  const known = new KnownGranules();
  for (const key of ['A', 'B'])
    known.set(key, { id: key, version: 1, data: { city: 'rome' }, user: '', updatedAt: '' });
  queue = new EditQueue(known);
});

describe('values that the service refuses', () => {
  it('stay in their cells, and the rest of the save is sent without them', () => {
    queue.edit('A', 'amount', 99);
    queue.edit('A', 'comment', 'good');
    queue.edit('B', 'amount', 98);
    queue.rejected(queue.take(), [refused('A', 'amount', '99'), refused('B', 'amount', '98')], 'Refused.');
    expect([queue.stateOf('A', 'amount'), queue.messageOf('A', 'amount')]).toEqual(['invalid', 'too much']);
    expect([queue.valueOf('A', 'amount'), queue.invalid.count]).toEqual(['99', 2]);
    expect(queue.take()).toEqual([{ key: 'A', data: { city: 'rome', comment: 'good' }, version: 1 }]);
  });

  it('go when they are corrected', () => {
    queue.edit('A', 'amount', 99);
    queue.rejected(queue.take(), [refused('A', 'amount', '99')], 'Refused.');
    queue.edit('A', 'amount', 9);
    expect([queue.invalid.count, queue.take()]).toEqual([
      0,
      [{ key: 'A', data: { city: 'rome', amount: 9 }, version: 1 }],
    ]);
  });

  it('do not stand for what was typed since', () => {
    queue.edit('A', 'amount', 99);
    const rows = queue.take();
    queue.edit('A', 'amount', 9);
    queue.rejected(rows, [refused('A', 'amount', '99')], 'Refused.');
    expect([queue.stateOf('A', 'amount'), queue.take()]).toEqual([
      'waiting',
      [{ key: 'A', data: { city: 'rome', amount: 9 }, version: 1 }],
    ]);
  });

  it('of a field that was not edited hold their row until one of both is corrected', () => {
    queue.edit('A', 'region', 'north');
    queue.rejected(queue.take(), [refused('A', 'city', 'rome')], 'Refused.');
    expect([queue.stateOf('A', 'city'), queue.messageOf('A', 'city')]).toEqual(['invalid', 'too much']);
    expect([queue.stateOf('A', 'region'), queue.take()]).toEqual(['failed', []]);
    queue.edit('A', 'city', 'oslo');
    expect(queue.take()).toEqual([{ key: 'A', data: { city: 'oslo', region: 'north' }, version: 1 }]);
  });

  it('that are in none of the rows let the save fail instead of being sent for ever', () => {
    queue.edit('A', 'amount', 99);
    queue.rejected(queue.take(), [refused('C', 'amount', '99')], 'Refused.');
    expect([queue.stateOf('A', 'amount'), queue.messageOf('A', 'amount')]).toEqual(['failed', 'Refused.']);
  });
});

describe('a granule that is still looked up', () => {
  const learned = (data: Record<string, unknown>) => {
    queue.edit('C', 'comment', 'typed', { seen: undefined });
    queue.learn('C', { id: 'C', version: 3, data, user: 'bob', updatedAt: '' });
  };

  it('gets what was typed where it has nothing', () => {
    learned({ amount: 1 });
    expect(queue.take()).toEqual([{ key: 'C', data: { amount: 1, comment: 'typed' }, version: 3 }]);
  });

  it('keeps what it has until the person has seen it', () => {
    learned({ comment: 'bob was here' });
    expect(queue.take()).toEqual([]);
    expect(queue.conflictsOf('C')).toMatchObject([{ mine: 'typed', theirs: 'bob was here' }]);
  });
});

it('a field that new rows need does not hold those that are stored without it', () => {
  queue.requiredInNew = ['amount'];
  queue.edit('A', 'comment', 'x');
  queue.edit('C', 'comment', 'x');
  expect(queue.take().map(({ key }) => key)).toEqual(['A']);
  expect([queue.incomplete, queue.stateOf('C', 'amount')]).toEqual([1, 'invalid']);
});
