import type { GranuleState } from '@kaptain/contract/granules';
import { expect, test } from 'vitest';
import { historyEvents } from './history-events.ts';
import { userIdOf } from './user-id-of.ts';

const state = (values: Partial<GranuleState>): GranuleState => ({
  version: 1,
  user: 'jo',
  data: { a: 1 },
  updatedAt: 't1',
  deletedAt: null,
  deletedBy: null,
  ...values,
});

test('tells what happened, newest first: created, changed, deleted, restored', () => {
  const events = historyEvents([
    state({ data: { a: 2 }, updatedAt: 't4' }),
    state({ data: { a: 2 }, updatedAt: 't2', deletedAt: 't3', deletedBy: 'admin', restoredBy: 'root' }),
    state({}),
  ]);
  expect(events.map(({ kind, by, at }) => [kind, by, at])).toEqual([
    ['Restored', 'root', 't4'],
    ['Deleted', 'admin', 't3'],
    ['Changed', 'jo', 't2'],
    ['Created', 'jo', 't1'],
  ]);
  expect(events[2]?.changes).toEqual([{ field: 'a', before: 1, after: 2 }]);
});

test('tells the creation as the list does, when an import has brought an earlier time', () => {
  const states = [state({ version: 2, data: { a: 2 }, updatedAt: 't4' }), state({ updatedAt: 't2' })];
  expect(historyEvents(states, { createdAt: 't1' }).map(({ kind, at }) => [kind, at])).toEqual([
    ['Changed', 't4'],
    ['Created', 't1'],
  ]);
  // A key that is written again after its deletion is new in the list, not in the history.
  expect(historyEvents(states, { createdAt: 't3' }).at(-1)?.at).toBe('t2');
});

test('tells a key that was written again after it was deleted from one that was restored', () => {
  const events = historyEvents([
    state({ user: 'mo', data: { b: 1 }, updatedAt: 't4' }),
    state({ deletedAt: 't3', deletedBy: 'admin' }),
  ]);
  expect(events[0]).toMatchObject({ kind: 'Written again', by: 'mo' });
  expect(events[0]?.changes).toEqual([
    { field: 'b', before: undefined, after: 1 },
    { field: 'a', before: 1, after: undefined },
  ]);
});

test.each([
  ['UserDirectory=CORP; UserId=mara', 'mara'],
  ['UserId=a b ; UserDirectory=X', 'a b'],
  ['CORP\\jo', 'CORP\\jo'],
  [null, ''],
])('shows the user %s as “%s”', (user, shown) => {
  expect(userIdOf(user)).toBe(shown);
});
