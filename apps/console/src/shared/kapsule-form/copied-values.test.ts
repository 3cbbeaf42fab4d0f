import { expect, test } from 'vitest';
import { sampleKapsule } from '../../testing/sample-kapsule.ts';
import { copiedValues } from './copied-values.ts';
import { structureOf } from './kapsule-values.ts';

const budget = sampleKapsule({
  name: 'Budget',
  table: 'Orders',
  fields: [
    {
      _id: 'f1',
      name: 'State',
      type: 'choice',
      label: 'Status',
      help: 'Of the order',
      choices: [{ value: 'open', color: 'red' }],
    },
    { _id: 'f2', name: 'Amount', type: 'number', decimals: 2, unit: 'EUR', min: 0, required: true },
  ],
});

test('a copy has the structure with rules, choices and texts, and no ids', () => {
  const { fields } = budget;
  expect(structureOf(copiedValues(budget, [budget]))).toEqual({
    name: 'Budget (copy)',
    table: 'Orders',
    keyField: 'OrderID',
    database: 'kaptaindb',
    fields: fields.map(({ _id, ...field }) => field),
  });
});

test.each<[string, string[], string]>([
  ['Budget', [], 'Budget (copy)'],
  ['Budget', ['BUDGET (Copy)'], 'Budget (copy 2)'],
  ['Budget', ['Budget (copy)', 'Budget (copy 2)'], 'Budget (copy 3)'],
  ['Budget (copy)', [], 'Budget (copy 2)'],
  ['x'.repeat(255), [], `${'x'.repeat(248)} (copy)`],
])('the copy of %s beside %j is named %s', (name, others, expected) => {
  const kapsules = [name, ...others].map((one) => sampleKapsule({ name: one }));
  const [original] = kapsules;
  if (!original) throw new Error();
  expect(copiedValues(original, kapsules).name).toBe(expected);
});

test('a copy in a data source gets a table of its own', () => {
  const kapsule = (name: string, tableName: string) => sampleKapsule({ name, database: 'mssql', tableName });
  const notes = kapsule('Notes', 'notes');
  expect(copiedValues(notes, [notes]).tableName).toBe('notes_copy');
  expect(copiedValues(notes, [notes, kapsule('Other', 'NOTES_COPY')]).tableName).toBe('notes_copy2');
  const long = kapsule('Long', 'é'.repeat(31));
  expect(copiedValues(long, [long]).tableName).toBe(`${'é'.repeat(29)}_copy`);
});
