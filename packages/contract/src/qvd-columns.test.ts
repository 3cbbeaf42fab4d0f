import { expect, test } from 'vitest';
import { matchColumns } from './qvd-columns.ts';

const kapsule = {
  table: 'Sales',
  keyField: 'Id',
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
  ],
};
const match = (...names: string[]) => matchColumns(names, 'Export', kapsule, 'ADMIN');

test('prefers columns with the exact name to those in another case', () => {
  expect(match('ID', 'Id', 'comment', 'Comment')).toMatchObject({
    key: 'Id',
    fields: [{ column: 'Comment', field: { name: 'Comment', type: 'text' } }],
    matched: ['Id', 'Comment'],
    ignored: ['ID', 'comment'],
  });
});

test.each(['Sales.', 'sales.', 'Export.'])('leaves out %s before a name', (prefix) => {
  expect(match(`${prefix}Id`, `${prefix}amount`).matched).toEqual([`${prefix}Id`, `${prefix}amount`]);
});

test('takes CreatedBy and CreatedAt, and ignores other columns', () => {
  expect(match('Id', 'Amount', 'CreatedBy', 'CreatedAt', 'Other.Comment')).toMatchObject({
    createdBy: 'CreatedBy',
    createdAt: 'CreatedAt',
    matched: ['Id', 'Amount', 'CreatedBy', 'CreatedAt'],
    ignored: ['Other.Comment'],
  });
});

test('ignores CreatedBy and CreatedAt in the file of a USER', () => {
  expect(matchColumns(['Id', 'Amount', 'createdby', 'Sales.CreatedAt'], 'x', kapsule, 'USER')).toMatchObject({
    createdBy: undefined,
    createdAt: undefined,
    matched: ['Id', 'Amount'],
    ignored: ['createdby', 'Sales.CreatedAt'],
  });
});

test('a column that is a field is not used as CreatedBy or CreatedAt', () => {
  const fields = [{ name: 'CreatedBy', type: 'text' }];
  expect(matchColumns(['Id', 'CreatedBy'], 'Export', { ...kapsule, fields }, 'ADMIN')).toMatchObject({
    fields: [{ column: 'CreatedBy' }],
    createdBy: undefined,
  });
});

test('reports a missing key, and that no field matches', () => {
  expect(match('Comment')).toMatchObject({ key: undefined, fields: [{ column: 'Comment' }] });
  expect(match('Id', 'x')).toMatchObject({ key: 'Id', fields: [], ignored: ['x'] });
});

test('prefers the exact name after a table to the name in another case', () => {
  expect(match('ID', 'Sales.Id', 'Sales.comment', 'COMMENT')).toMatchObject({
    key: 'Sales.Id',
    fields: [{ column: 'COMMENT' }],
  });
});

test('reads each name once: a hundred times the fields take much less than a hundred times as long', () => {
  const long = 'ﬃÄ'.repeat(60);
  const columns = Array.from({ length: 3000 }, (_, index) => `${long}column ${index}`);
  const fields = Array.from({ length: 500 }, (_, index) => ({ name: `${long}field ${index}`, type: 'text' }));
  const msWith = (count: number) => {
    const since = performance.now();
    matchColumns(columns, 'Export', { ...kapsule, fields: fields.slice(0, count) }, 'ADMIN');
    return performance.now() - since;
  };
  const fastest = (count: number) => Math.min(...[1, 2, 3].map(() => msWith(count)));
  const few = fastest(5);
  expect(fastest(500)).toBeLessThan(20 * few);
});
