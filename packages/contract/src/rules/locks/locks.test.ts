import { describe, expect, it } from 'vitest';
import { type RuledField, rowCheck } from '../values/index.ts';
import {
  closingLock,
  comparisonsOf,
  fieldsOfLock,
  type Lock,
  lockProblem,
  locksProblem,
  type Saver,
  seenLocks,
} from './index.ts';

const fields: RuledField[] = [
  { name: 'Period', type: 'text' },
  { name: 'Amount', type: 'number' },
  { name: 'Day', type: 'date' },
  { name: 'At', type: 'timestamp' },
  { name: 'Done', type: 'boolean' },
  { name: 'Tags', type: 'list' },
  { name: 'Link', type: 'link' },
  { name: 'Talk', type: 'thread' },
];
const lock = (rest: Partial<Lock>): Lock => ({
  name: 'Shut',
  closes: 'when',
  conditions: [],
  openers: 'DELETE',
  ...rest,
});
const saver = (rest: Partial<Saver> = {}): Saver => ({
  username: 'vera',
  groupIds: new Set(['g1']),
  now: '2026-10-31T12:00:00.000Z',
  ...rest,
});
const period: Lock['conditions'][number] = { on: 'field', field: 'Period', is: 'atMost', value: '2026-10' };

/** The fields of a save that are refused. */
function refused(locks: Lock[], after: object, stored: object | null, by = saver()) {
  const { refusals } = rowCheck(fields, {}, seenLocks(locks, by)).check(
    { ...after },
    stored && { ...stored },
  );
  expect(refusals.filter(({ rule }) => rule !== 'closed')).toEqual([]);
  return refusals.map(({ field }) => field);
}

describe('a lock', () => {
  it('closes the whole kapsule when it has no conditions, and keeps what stays as it is', () => {
    expect(refused([lock({})], { Amount: 2 }, { Amount: 1 })).toEqual(['Amount']);
    expect(refused([lock({})], {}, { Amount: 1 })).toEqual(['Amount']);
    expect(refused([lock({})], { Amount: 1, Period: '' }, { Amount: 1 })).toEqual([]);
    expect(refused([lock({})], { Amount: 1 }, null)).toEqual(['Amount']);
    expect(refused([lock({})], {}, null)).toEqual(['Period']);
    // A lock on some fields closes no row, wherever it stands among the others.
    const ofField = lock({ name: 'Field', fields: ['Period'] });
    expect(refused([ofField], {}, null)).toEqual([]);
    expect(refused([ofField, lock({})], {}, null)).toEqual(['Period']);
  });

  it('refuses to change rows of a closed period, to carry values into it and to enter new ones', () => {
    const locks = [lock({ conditions: [period] })];
    expect(refused(locks, { Period: '2026-10', Amount: 2 }, { Period: '2026-10', Amount: 1 })).toEqual([
      'Amount',
    ]);
    expect(refused(locks, { Period: '2026-11', Amount: 1 }, { Period: '2026-10', Amount: 1 })).toEqual([
      'Period',
    ]);
    expect(refused(locks, { Period: '2026-09', Amount: 1 }, { Period: '2026-11', Amount: 1 })).toEqual([
      'Period',
    ]);
    expect(refused(locks, { Period: '2026-11', Amount: 2 }, { Period: '2026-11', Amount: 1 })).toEqual([]);
    expect(refused(locks, { Period: '2026-10' }, null)).toEqual(['Period']);
    expect(refused(locks, { Period: '2026-11' }, null)).toEqual([]);
  });

  it('that rows may still enter lets new rows and values in, and keeps those that are there', () => {
    const locks = [lock({ conditions: [period], mayEnter: true })];
    expect(refused(locks, { Period: '2026-10', Amount: 1 }, null)).toEqual([]);
    expect(refused(locks, { Period: '2026-10', Amount: 1 }, { Period: '2026-10' })).toEqual([]);
    expect(refused(locks, { Period: '2026-10', Amount: 2 }, { Period: '2026-10', Amount: 1 })).toEqual([
      'Amount',
    ]);
    expect(refused(locks, { Period: '2026-10' }, { Period: '2026-11' })).toEqual([]);
  });

  it('of some fields leaves the others open', () => {
    const locks = [
      lock({ fields: ['Amount'], conditions: [{ on: 'field', field: 'Done', is: 'equals', value: true }] }),
    ];
    expect(
      refused(locks, { Amount: 2, Done: true, Period: 'b' }, { Amount: 1, Done: true, Period: 'a' }),
    ).toEqual(['Amount']);
    expect(refused(locks, { Amount: 1, Done: true }, { Amount: 1, Done: false })).toEqual([]);
    expect(refused(locks, { Amount: 2, Done: true }, { Amount: 1, Done: false })).toEqual(['Amount']);
    expect(refused(locks, { Done: true }, null)).toEqual([]);
  });

  it('that reads "editable when" closes every other row', () => {
    const locks = [lock({ closes: 'unless', conditions: [{ on: 'field', field: 'Done', is: 'empty' }] })];
    expect(refused(locks, { Amount: 1 }, {})).toEqual([]);
    expect(refused(locks, { Amount: 1, Done: true }, { Done: true })).toEqual(['Amount']);
  });

  it('depends on the person, their groups and the time', () => {
    const after = (at: string) => lock({ conditions: [{ on: 'time', is: 'after', at }] });
    const before = (at: string) => lock({ conditions: [{ on: 'time', is: 'before', at }] });
    const closes = (one: Lock, by = saver()) => refused([one], { Amount: 2 }, { Amount: 1 }, by).length > 0;
    expect(closes(after('2026-10-31'))).toBe(false);
    expect(closes(after('2026-10-30'))).toBe(true);
    expect(closes(after('2026-10-31T11:59:59.000Z'))).toBe(true);
    expect(closes(before('2026-10-31'))).toBe(false);
    expect(closes(before('2026-11-01'))).toBe(true);
    const group = (groupIds: string[]) => lock({ conditions: [{ on: 'group', groupIds }] });
    expect(closes(group(['g0', 'g1']))).toBe(true);
    expect(closes({ ...group(['g0', 'g1']), closes: 'unless' })).toBe(false);
    expect(closes({ ...group(['g0']), closes: 'unless' })).toBe(true);
    const vera = lock({ closes: 'unless', conditions: [{ on: 'person', usernames: ['vera'] }] });
    expect(closes(vera)).toBe(false);
    expect(closes(vera, saver({ username: 'otto' }))).toBe(true);
    expect(closes(vera, saver({ username: undefined }))).toBe(true);
  });

  it('is told with the conditions on the row alone', () => {
    const group = { on: 'group', groupIds: ['g1'] } as const;
    const conditions = [{ on: 'group' as const, groupIds: [...group.groupIds] }, period];
    expect(seenLocks([lock({ conditions, fields: ['Amount'], mayEnter: true })], saver())).toEqual([
      { name: 'Shut', fields: ['Amount'], closes: 'when', mayEnter: true, conditions: [period] },
    ]);
    const outside = saver({ groupIds: new Set() });
    expect(seenLocks([lock({ conditions })], outside)).toEqual([]);
    expect(seenLocks([lock({ conditions, closes: 'unless' })], outside)).toEqual([
      { name: 'Shut', closes: 'when', conditions: [] },
    ]);
    expect(seenLocks([lock({ conditions: conditions.slice(0, 1), closes: 'unless' })], saver())).toEqual([]);
  });

  it('compares values in the form of their type', () => {
    const closes = (field: string, is: 'equals' | 'atLeast', value: string | number, stored: unknown) =>
      closingLock(
        fields,
        seenLocks([lock({ conditions: [{ on: 'field', field, is, value }] })], saver()),
      )({
        [field]: stored,
      }) !== undefined;
    expect(closes('Amount', 'atLeast', 9, 10)).toBe(true);
    expect(closes('Amount', 'atLeast', 9, '10')).toBe(false);
    expect(closes('Amount', 'atLeast', 9, null)).toBe(false);
    expect(closes('At', 'equals', '2026-10-31T10:00:00.000Z', '2026-10-31T10:00Z')).toBe(true);
    expect(closes('Link', 'equals', 'https://example.com/', 'https://example.com')).toBe(true);
    expect(closes('Period', 'equals', 'a', 'A')).toBe(false);
  });

  it('keeps the author and the form of a closed row that stays as it is', () => {
    const { check } = rowCheck(fields, {}, seenLocks([lock({})], saver()));
    const stored = { Link: 'https://example.com', Amount: null };
    expect(check({ Link: 'https://example.com' }, stored)).toEqual({
      data: stored,
      refusals: [],
      keepsAuthor: true,
    });
    expect(rowCheck(fields).check({ Amount: 1 }, { Amount: 1 }).keepsAuthor).toBeUndefined();
  });

  it('tells its name once for each value, in place of other rules', () => {
    const ruled: RuledField[] = [{ name: 'Amount', type: 'number', label: 'Value', max: 5 }];
    expect(
      rowCheck(ruled, {}, seenLocks([lock({})], saver())).check({ Amount: 9 }, { Amount: 1 }).refusals,
    ).toEqual([{ field: 'Amount', rule: 'closed', message: 'Value is closed: Shut.', value: 9 }]);
  });
});

describe('the definition of a lock', () => {
  const on = (field: string, is: 'equals' | 'atMost', value: string | number | boolean) =>
    lock({ conditions: [{ on: 'field', field, is, value }] });
  it.each<[Lock, string | undefined]>([
    [lock({}), undefined],
    [lock({ fields: ['Amount', 'Talk'] }), undefined],
    [lock({ fields: ['gone'] }), 'there is no field "gone".'],
    [lock({ fields: [] }), 'it closes no field.'],
    [lock({ closes: 'unless' }), 'it needs a condition by which rows are open.'],
    [on('gone', 'equals', 'x'), 'there is no field "gone".'],
    [on('Amount', 'atMost', 1), undefined],
    [on('Amount', 'atMost', '1'), '"1" is no value of the field Amount.'],
    [on('Day', 'atMost', '2026-02-30'), '"2026-02-30" is no value of the field Day.'],
    [on('At', 'atMost', '2026-02-28'), '"2026-02-28" is no value of the field At.'],
    [on('Done', 'atMost', true), 'values of the type boolean are not compared by atMost.'],
    [on('Tags', 'equals', 'x'), 'values of the type list are not compared by equals.'],
    [on('Talk', 'equals', 'x'), 'values of the type thread are not compared by equals.'],
    [on('Period', 'equals', ''), '"" is no value of the field Period.'],
    [
      lock({ conditions: [{ on: 'time', is: 'after', at: 'soon' }] }),
      '"soon" is neither a day nor a time in UTC.',
    ],
  ])('%j has the problem %j', (given, problem) => {
    expect(lockProblem(given, fields)).toBe(problem);
  });

  it('offers the comparisons of each type, and tells the fields of which it speaks', () => {
    expect(comparisonsOf('number')).toContain('atMost');
    expect(comparisonsOf('boolean')).toEqual(['equals', 'differs', 'empty', 'filled']);
    expect(comparisonsOf('choices')).toEqual(['empty', 'filled']);
    expect(comparisonsOf('thread')).toEqual([]);
    const time = { on: 'time', is: 'after', at: '2026-10-31' } as const;
    expect(fieldsOfLock(lock({ fields: ['Amount', 'Period'], conditions: [period, time] }))).toEqual([
      'Amount',
      'Period',
    ]);
  });

  it('has a name that is seen, and only once', () => {
    expect(locksProblem([lock({}), lock({ name: 'Other' })], fields)).toBeUndefined();
    expect(locksProblem([lock({}), lock({ name: 'SHUT ' })], fields)).toContain('more than once');
    expect(locksProblem([lock({ name: '\u200b' })], fields)).toContain('visible');
    expect(locksProblem([lock({ fields: ['x'] })], fields)).toBe('The lock Shut: there is no field "x".');
  });
});
