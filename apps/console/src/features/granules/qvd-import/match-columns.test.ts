import { expect, test } from 'vitest';
import { matchColumns } from './match-columns.ts';

const kapsule = {
  table: 'Sales',
  keyField: 'Id',
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
  ],
};
const match = (...names: string[]) => matchColumns(names, 'Export', kapsule);

test('takes columns by their exact name before those in another case', () => {
  expect(match('ID', 'Id', 'comment', 'Comment')).toEqual({
    hasKey: true,
    hasField: true,
    matched: ['Id', 'Comment'],
    ignored: ['ID', 'comment'],
  });
});

test.each(['Sales.', 'sales.', 'Export.'])('leaves out %s before a name', (prefix) => {
  expect(match(`${prefix}Id`, `${prefix}amount`).matched).toEqual([`${prefix}Id`, `${prefix}amount`]);
});

test('takes who and when, and ignores everything else', () => {
  expect(match('Id', 'Amount', 'CreatedBy', 'CreatedAt', 'Other.Comment')).toMatchObject({
    matched: ['Id', 'Amount', 'CreatedBy', 'CreatedAt'],
    ignored: ['Other.Comment'],
  });
});

test('says when the key or every field is missing', () => {
  expect(match('Comment')).toMatchObject({ hasKey: false, hasField: true });
  expect(match('Id', 'x')).toMatchObject({ hasKey: true, hasField: false });
});
