import { expect, test } from 'vitest';
import { sampleGranule as granule } from '../testing/sample-granule.ts';
import type { GranuleQuery } from './granule-query.ts';
import { matchingIds, pageInMemory } from './plain-granules.ts';

/** All granules at once, as another implementation of the service answers. */
const list = [
  granule('A1'),
  granule('A2', { reloaded: true }),
  ...Array.from({ length: 20 }, (_, index) => granule(`B${index}`, { reloaded: index % 2 === 0 })),
  granule('ZZ', { data: { deep: [{ Comment: 'Eine ÜBERRASCHUNG' }] } }),
];
const all = { q: '', deleted: false, where: [], conditions: [], sort: 'key', page: 1, size: 20 };
const keysOf = (query: Partial<GranuleQuery>) =>
  pageInMemory(list, { ...all, ...query }).data.map(({ key }) => key);

test('a plain list of granules is paged, counted and sorted, numbers by their value', () => {
  expect(keysOf({ page: 2 })).toEqual(['B18', 'B19', 'ZZ']);
  expect(keysOf({ sort: '-key' }).slice(0, 3)).toEqual(['ZZ', 'B19', 'B18']);
  const { total, totalIsExact, summary } = pageInMemory(list, all);
  expect({ total, totalIsExact, summary }).toEqual({
    total: 23,
    totalIsExact: true,
    summary: { total: 23, reloaded: 11, notReloaded: 12 },
  });
});

test('a plain list of granules is searched over the whole record in any case, and filtered', () => {
  expect(keysOf({ q: ' überraschung ' })).toEqual(['ZZ']);
  expect(keysOf({ q: 'note a', reloaded: true })).toEqual(['A2']);
});

test('of a plain list all that match are chosen, unless they are no longer as many as were seen', () => {
  const reloaded = { ...all, reloaded: true };
  expect(matchingIds(list, reloaded, 11)).toHaveLength(11);
  expect(matchingIds(list, { ...all, q: 'überraschung' }, 1)).toEqual([list.at(-1)?._id]);
  for (const seen of [10, 12])
    expect(() => matchingIds(list, reloaded, seen)).toThrow('The records have changed meanwhile.');
});

test('a plain list of granules is filtered and sorted by fields', () => {
  const amounts = [3, 1, undefined, 2].map((Amount, place) => granule(`k${place}`, { data: { Amount } }));
  const keysAt = (query: Partial<GranuleQuery>) =>
    pageInMemory(amounts, { ...all, ...query }).data.map(({ key }) => key);
  const amount = { field: 'Amount', type: 'number' } as const;
  expect(keysAt({ conditions: [{ ...amount, is: 'between', from: 2 }] })).toEqual(['k0', 'k3']);
  expect(keysAt({ conditions: [{ ...amount, is: 'empty' }] })).toEqual(['k2']);
  const sortField = { name: 'Amount', type: 'number' } as const;
  expect(keysAt({ sort: 'field:Amount', sortField })).toEqual(['k1', 'k3', 'k0', 'k2']);
  expect(keysAt({ sort: '-field:Amount', sortField })).toEqual(['k0', 'k3', 'k1', 'k2']);
});
