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

test('takes columns by their exact name before those in another case', () => {
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

test('takes who and when, and ignores everything else', () => {
  expect(match('Id', 'Amount', 'CreatedBy', 'CreatedAt', 'Other.Comment')).toMatchObject({
    createdBy: 'CreatedBy',
    createdAt: 'CreatedAt',
    matched: ['Id', 'Amount', 'CreatedBy', 'CreatedAt'],
    ignored: ['Other.Comment'],
  });
});

test('ignores who and when in the file of a USER', () => {
  expect(matchColumns(['Id', 'Amount', 'createdby', 'Sales.CreatedAt'], 'x', kapsule, 'USER')).toMatchObject({
    createdBy: undefined,
    createdAt: undefined,
    matched: ['Id', 'Amount'],
    ignored: ['createdby', 'Sales.CreatedAt'],
  });
});

test('a column that is a field is not taken for who or when as well', () => {
  const fields = [{ name: 'CreatedBy', type: 'text' }];
  expect(matchColumns(['Id', 'CreatedBy'], 'Export', { ...kapsule, fields }, 'ADMIN')).toMatchObject({
    fields: [{ column: 'CreatedBy' }],
    createdBy: undefined,
  });
});

test('says when the key or every field is missing', () => {
  expect(match('Comment')).toMatchObject({ key: undefined, fields: [{ column: 'Comment' }] });
  expect(match('Id', 'x')).toMatchObject({ key: 'Id', fields: [], ignored: ['x'] });
});
