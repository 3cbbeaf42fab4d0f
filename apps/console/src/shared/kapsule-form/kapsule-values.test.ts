import { expect, test } from 'vitest';
import { fieldProblem, type KapsuleValues, newKapsule, structureOf } from './kapsule-values.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

test('a field needs a name of its own, without regard to case and invisible characters', () => {
  expect(fieldProblem(named('a', ' \u200b'), 1)).toBe('Field name is required!');
  expect(fieldProblem([{}], 0)).toBe('Field name is required!');
  expect(fieldProblem(named('Note', 'nOTE\u200b'), 1)).toBe('This field is there already.');
  // The later one is the double.
  expect(fieldProblem(named('Note', 'note'), 0)).toBeUndefined();
});

test('texts are sent without the blanks around them, and a table name only for a data source', () => {
  const values: KapsuleValues = {
    ...newKapsule,
    name: ' Sales ',
    tableName: ' t ',
    fields: [{ name: ' a ', type: 'date' }],
  };
  expect(structureOf(values)).toEqual({
    name: 'Sales',
    database: 'kaptaindb',
    table: '',
    keyField: '',
    fields: [{ name: 'a', type: 'date' }],
  });
  expect(structureOf({ ...values, database: 'mysql' })).toMatchObject({ database: 'mysql', tableName: 't' });
});
