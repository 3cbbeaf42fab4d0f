import { expect, test } from 'vitest';
import { boundFields } from './rows.ts';
import { finderIn } from './shape.ts';

test('finds the exact name, or the only one in another case', () => {
  const find = finderIn([{ name: 'id' }, { name: 'ID' }, { name: 'Amount' }]);
  expect(['id', 'ID', 'Id', 'AMOUNT', 'none'].map((name) => find(name)?.name)).toEqual([
    'id',
    'ID',
    undefined,
    'Amount',
    undefined,
  ]);
});

test('a hundred times the columns take the states of a history much less than ten thousand times as long', () => {
  const names = Array.from({ length: 1000 }, (_, index) => ({ name: `${'p'.repeat(50)}${index}` }));
  const fastestOf = (count: number) => {
    const some = names.slice(0, count);
    const columns = some.map(({ name }) => ({ name, field: name.toUpperCase() }));
    const shape = { names: some, columns } as unknown as Parameters<typeof boundFields>[0];
    const state = Object.fromEntries(columns.map(({ field }) => [field, 1]));
    const once = () => {
      const since = performance.now();
      const bound = boundFields(shape);
      for (let states = 0; states < 20; states++) expect(Object.keys(bound(state))).toHaveLength(count);
      return performance.now() - since;
    };
    return Math.min(...Array.from({ length: 5 }, once));
  };
  expect(fastestOf(1000)).toBeLessThan(1000 * fastestOf(10));
});
