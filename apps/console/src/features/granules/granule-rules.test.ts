import type { GranuleSummary } from '@kaptain/contract/granules';
import { describe, expect, test } from 'vitest';
import { rereadAfter } from '../../api/granule-query.ts';
import { changedText } from './changed-text.ts';
import { draftOf, draftProblem, type FilterDraft, filterOf, newDraft } from './filter-draft.ts';
import { initial, queryOf } from './granule-state.ts';
import { hasData } from './has-data.ts';
import { lastDays } from './last-days.ts';
import { liveHintText } from './live-hint-text.ts';
import { matchText, partialText } from './match-text.ts';
import { mayEdit, mayImport, mayRemove } from './may-change.ts';
import { userIdOf } from './user-id-of.ts';
import { valueText } from './value-text.ts';
import { viewQuery, viewState } from './view-query.ts';

const kapsule = {
  keyField: 'OrderID',
  fields: [
    { name: 'OrderID', type: 'text' },
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
    { name: 'Seen', type: 'timestamp' },
    { name: 'Done', type: 'boolean' },
  ],
};

describe('the URL of the granule page', () => {
  const queryAt = (parameters: Partial<typeof initial>, mayShowDeleted = false) =>
    queryOf({ ...initial, ...parameters }, mayShowDeleted, kapsule);

  test('gives search, filter, order, page and size of the query', () => {
    expect(queryAt({ q: 'x y', show: 'notReloaded', sort: 'key', page: '2', size: '20' })).toEqual({
      q: 'x y',
      reloaded: false,
      deleted: false,
      where: [],
      conditions: [],
      sort: 'key',
      page: 2,
      size: 20,
    });
    expect([queryAt({ show: 'reloaded' }).reloaded, queryAt({}).reloaded]).toEqual([true, undefined]);
  });

  test('shows deleted granules only to who may see them', () => {
    expect(queryAt({ show: 'deleted' }, true).deleted).toBe(true);
    expect(queryAt({ show: 'deleted' }).deleted).toBe(false);
  });

  test('with invalid parameters is the one without them', () => {
    expect(queryAt({ show: 'x', sort: 'data', page: '-1', size: '1000' })).toEqual(queryAt({}));
    for (const sort of ['field:gone', '-field:OrderID', 'field:'])
      expect([sort, queryAt({ sort }).sort]).toEqual([sort, '-updatedAt']);
  });

  test('keeps the conditions on fields that the kapsule has, and leaves out all others', () => {
    const kept = [
      { field: 'Amount', is: 'between', from: 1.5 },
      { field: 'Seen', is: 'between', to: '2026-01-31T10:00:00.000Z' },
      { field: 'Comment', is: 'empty' },
    ];
    const dropped = [
      { field: 'gone', is: 'empty' },
      { field: 'OrderID', is: 'empty' },
      { field: 'Amount', is: 'contains', text: 'x' },
      { field: 'Comment', is: 'between', from: 1 },
      { field: 'Amount', is: 'between', from: '2026-01-31' },
      'nonsense',
    ];
    const { where, conditions } = queryAt({ where: JSON.stringify([...kept, ...dropped]) });
    expect(where).toEqual(kept);
    expect(conditions).toEqual([
      { field: 'Amount', type: 'number', is: 'between', from: 1.5 },
      { field: 'Seen', type: 'timestamp', is: 'between', to: '2026-01-31T10:00:00' },
      { field: 'Comment', type: 'text', is: 'empty' },
    ]);
    expect([queryAt({ where: '{' }).where, queryAt({ where: '7' }).where]).toEqual([[], []]);
  });
});

describe('a condition that is edited', () => {
  const draft = (change: Partial<FilterDraft>): FilterDraft => ({
    ...newDraft('Amount', 'number'),
    ...change,
  });

  test('becomes the filter that it was read from', () => {
    for (const [filter, type] of [
      [{ field: 'Amount', is: 'between', from: 1.5, to: 2 }, 'number'],
      [{ field: 'Due', is: 'between', to: '2026-01-31' }, 'date'],
      [{ field: 'Seen', is: 'between', from: '2026-01-31T10:30:00.000Z' }, 'timestamp'],
      [{ field: 'Comment', is: 'contains', text: 'late' }, 'text'],
      [{ field: 'Done', is: 'contains', text: 'false' }, 'boolean'],
      [{ field: 'Done', is: 'filled' }, 'boolean'],
    ] as const)
      expect(filterOf(draftOf(filter, type), { type })).toEqual(filter);
  });

  test('reads numbers with the unit of their field, as its cells do', () => {
    const percent = { type: 'number', unit: '%' };
    expect(draftProblem(draft({ from: '10%' }), percent)).toBeUndefined();
    expect(filterOf(draft({ from: '10%' }), percent)).toMatchObject({ from: 10 });
    expect(filterOf(draft({ from: '10%' }), { type: 'number' })).toMatchObject({ from: 0.1 });
    expect(filterOf(draft({ to: '5 kg' }), { type: 'number', unit: 'kg' })).toMatchObject({ to: 5 });
  });

  test('says what is missing or wrong', () => {
    expect(draftProblem(draft({}), { type: 'number' })).toBe('Amount is required!');
    expect(draftProblem(draft({ from: 'ten' }), { type: 'number' })).toBe('Amount is not a valid number!');
    expect(draftProblem(draft({ from: '1,500' }), { type: 'number' })).toBeUndefined();
    expect(filterOf(draft({ from: '1,500' }), { type: 'number' })).toEqual({
      field: 'Amount',
      is: 'between',
      from: 1500,
    });
    expect(draftProblem(draft({ from: '1,5' }), { type: 'number', label: 'Sum' })).toBe(
      'Sum can be 1.5 or 15: please write it in full!',
    );
    expect(draftProblem(draft({ is: 'contains', text: ' ' }), { type: 'text' })).toBe('Amount is required!');
    expect(draftProblem(draft({ is: 'empty' }), { type: 'number' })).toBeUndefined();
  });
});

describe('a saved view', () => {
  test('keeps search, filters and order, and gives the defaults for the rest', () => {
    const state = { ...initial, q: 'x y', where: '[{"field":"Amount","is":"empty"}]', page: '7', open: 'id' };
    const query = viewQuery(state);
    expect(query).toBe('q=x+y&where=%5B%7B%22field%22%3A%22Amount%22%2C%22is%22%3A%22empty%22%7D%5D');
    expect(viewState(query)).toEqual({
      q: 'x y',
      show: 'all',
      where: state.where,
      sort: '-updatedAt',
      size: '50',
    });
  });
});

describe('the hint at changes', () => {
  const counts = (total: number, reloaded = 0): GranuleSummary => ({
    total,
    reloaded,
    notReloaded: total - reloaded,
  });
  const hint = (now: GranuleSummary, { isFirst = false, at = 10_000 } = {}) =>
    liveHintText({ counts: now, at, isFirst }, counts(10), 1000, { one: 'granule', many: 'granules' });

  test('counts new records, or says that something has changed', () => {
    expect(hint(counts(11))).toBe('1 new granule –');
    expect(hint(counts(1210))).toBe('1,200 new granules –');
    expect([hint(counts(9)), hint(counts(10, 1)), hint(counts(10))]).toEqual(
      Array.from({ length: 3 }, () => 'The granules have changed –'),
    );
  });

  test('says nothing about equal counts at the start or right after the rows were fetched', () => {
    expect(hint(counts(10), { isFirst: true })).toBeUndefined();
    expect(hint(counts(10), { at: 2000 })).toBeUndefined();
  });
});

test('importing is offered with WRITE, deleting with DELETE, and both where the service sends no authority', () => {
  const given = [['READ'], ['READ', 'WRITE'], ['READ', 'DELETE'], []] as const;
  expect(given.map((authority) => mayImport('USER', authority))).toEqual([false, true, true, true]);
  expect(given.map((authority) => mayRemove('USER', authority))).toEqual([false, false, true, true]);
  expect([mayImport('ADMIN', ['READ']), mayRemove('ADMIN', ['READ'])]).toEqual([true, true]);
});

test('editing is offered with WRITE or DELETE, and with READ where the readers may write', () => {
  const authority = ['READ' as const];
  const choices = [undefined, 'DELETE', 'READ', 'EVERYONE'] as const;
  expect(choices.map((writers) => mayEdit('USER', { authority, writers }))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  for (const more of ['WRITE', 'DELETE'] as const)
    for (const writers of choices)
      expect(mayEdit('USER', { authority: [...authority, more], writers })).toBe(true);
  expect([mayEdit('ADMIN', { authority }), mayEdit('USER', { authority: [] })]).toEqual([true, true]);
});

test('the number of matches is exact or a lower limit', () => {
  const noun = { one: 'granule', many: 'granules' };
  expect(matchText({ total: 405, totalIsExact: false }, noun)).toBe('more than 400 granules');
  expect(matchText({ total: 51, totalIsExact: false }, noun)).toBe('more than 50 granules');
  expect(matchText({ total: 10_000, totalIsExact: false }, noun)).toBe('more than 10,000 granules');
  expect(matchText({ total: 1, totalIsExact: true }, noun)).toBe('1 granule');
});

test('a partial page says so, and is read again while an index is being made', () => {
  const noun = { one: 'granule', many: 'granules' };
  expect(matchText({ total: 0, totalIsExact: false }, noun)).toBe('no granules so far');
  const sortField = { name: 'Amount', type: 'number' } as const;
  const between = { field: 'Amount', type: 'number', is: 'between', from: 1 } as const;
  const contains = { field: 'Comment', type: 'text', is: 'contains', text: 'a' } as const;
  expect([
    partialText({ conditions: [contains, between], deleted: false }),
    partialText({ conditions: [], sortField, deleted: false }),
    partialText({ conditions: [between], deleted: true }),
    partialText({ conditions: [contains], deleted: false }),
  ]).toEqual([
    '(not all were looked at yet; an index is being made …)',
    '(not all were sorted yet; an index is being made …)',
    '(not all were looked at)',
    '(not all were looked at)',
  ]);
  expect(rereadAfter({ deleted: false }, { isPartial: true }, 1)).toBeGreaterThan(0);
  expect(rereadAfter({ deleted: true }, { isPartial: true }, 1)).toBe(false);
  expect(rereadAfter({ deleted: false }, {}, 1)).toBe(false);
  // No index completes the page of a word of two letters.
  expect(rereadAfter({ deleted: false }, { isPartial: true }, 60)).toBe(false);
});

test('the changes of each day include the days that had none', () => {
  const now = Date.parse('2026-03-02T23:59:59Z');
  expect(lastDays([{ day: '2026-03-01T00:00:00Z', changes: 7 }], 3, now)).toEqual([
    { label: '2026-02-28', value: 0 },
    { label: '2026-03-01', value: 7 },
    { label: '2026-03-02', value: 0 },
  ]);
});

test('a user is shown by the part after UserId, or as a whole', () => {
  expect(['UserDirectory=CORP; UserId=mara', 'mara', null].map(userIdOf)).toEqual(['mara', 'mara', '']);
});

test('a value is shown in one line, a timestamp in the time zone of the browser', () => {
  expect(
    [true, false, null, 3.5, ['a', 1], { a: 1 }].map((value) =>
      valueText(value, { name: 'f', type: 'text' }),
    ),
  ).toEqual(['Yes', 'No', '', '3.5', 'a; 1', '{"a":1}']);
  expect(valueText('2026-03-04T05:06:07Z', { name: 'f', type: 'timestamp' })).toBe('2026-03-04 05:06:07');
  expect(valueText('soon', { name: 'f', type: 'timestamp' })).toBe('soon');
});

test('a row without data has nothing to open', () => {
  expect([{ data: undefined }, { data: null }, { data: '' }].some(hasData)).toBe(false);
  expect([{ data: {} }, { data: 'x' }].every(hasData)).toBe(true);
});

test('when another was restored meanwhile, it is told how many are restored', () => {
  const words = { one: 'granule', many: 'granules' };
  expect(changedText({ count: 3, changed: 2 }, words, 'restored')).toBe(
    '2 of 3 granules are restored; the other one was restored already.',
  );
});

test.each([
  [1, 1, '1 granule is deleted.'],
  [2, 2, '2 granules are deleted.'],
  [30, undefined, '30 granules are deleted.'],
  [3, 1, '1 of 3 granules is deleted; the others were deleted already.'],
  [3, 2, '2 of 3 granules are deleted; the other one was deleted already.'],
  [3, 0, '3 granules were deleted already.'],
  [1, 0, '1 granule was deleted already.'],
])('of %i selected granules, %s changed by the service, it is told: %s', (count, changed, text) => {
  expect(changedText({ count, changed }, { one: 'granule', many: 'granules' }, 'deleted')).toBe(text);
});
