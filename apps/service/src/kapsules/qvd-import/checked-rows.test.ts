import type { Field } from '@kaptain/contract';
import { rowCheck } from '@kaptain/contract/field-rules';
import { fieldTypes } from '@kaptain/contract/fields';
import { type NewValue, openQvd } from '@kaptain/qvd';
import { searchText } from '@kaptain/store/folding';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '../../../../../tools/test-size.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { Cell } from './cell-values.ts';
import { CheckedRows } from './checked-rows.ts';
import { matchColumns } from './match-columns.ts';
import type { StoredRow, Task } from './messages.ts';
import { rowWriter } from './row-writer.ts';

const RUNS = sized(2000, 100);

const choices = ['open', 'shut', 'north', 'oslo'].map((value) => ({ value }));
const rules = fc.record(
  { required: fc.boolean(), writeOnce: fc.boolean(), default: fc.constant('open') },
  { requiredKeys: [] },
);
const kinds: fc.Arbitrary<Omit<Field, '_id' | 'name'>> = fc.constantFrom(
  { type: 'text', max: 4 },
  { type: 'text', pattern: '[a-z]*' },
  { type: 'number', min: 0, decimals: 1 },
  { type: 'date', max: '2026-06-30' },
  { type: 'timestamp' },
  { type: 'boolean' },
  { type: 'list', max: 1 },
  { type: 'link' },
  { type: 'rating' },
  { type: 'choice', choices },
  { type: 'choices', choices },
);
const text = fc.constantFrom(
  'open',
  'shut; open',
  'oslo',
  '',
  ' ',
  '1,500',
  '1.5',
  '-2',
  '2026-01-31',
  '03/04/2026',
  '2026-12-24 10:00',
  'yes',
  'NaN',
  '["a","b"]',
  'example.com',
);
const value: fc.Arbitrary<NewValue> = fc.oneof(
  text,
  fc.constantFrom(0, 1, -1, 2.25, 46_081, 46_081.5),
  fc.constant(null),
);
const stored: fc.Arbitrary<unknown> = fc.oneof(text, fc.constantFrom(1, -2, null, true, ['a', 'b']));

const fieldList = fc.array(fc.tuple(kinds, rules), { minLength: 1, maxLength: 4 }).map((list) =>
  list.map(([kind, rule], index): Field => {
    const isDependent = kind.choices !== undefined && index > 0;
    const choicesBy = { field: 'f0', choices: { open: ['north'], oslo: ['open', 'oslo'] } };
    return { _id: `${index}`, name: `f${index}`, ...kind, ...rule, ...(isDependent && { choicesBy }) };
  }),
);

/** What is in the file, and what is stored under its keys. */
const situation = fieldList.chain((fields) =>
  fc.record({
    fields: fc.constant(fields),
    columns: fc.subarray(
      fields.map(({ name }) => name),
      { minLength: 1 },
    ),
    rows: fc.array(fc.array(value, { minLength: 4, maxLength: 4 }), { maxLength: 6 }),
    stored: fc.array(fc.option(fc.dictionary(fc.constantFrom('f0', 'f1', 'f2', 'f3', 'gone'), stored)), {
      minLength: 6,
      maxLength: 6,
    }),
  }),
);

const taskOf = (fields: Field[]): Task => ({
  files: [],
  structure: { keyField: 'id', table: 'T', fields },
  role: 'ADMIN',
  author: 'vera',
  isDryRun: false,
  goodRowsOnly: true,
  known: {},
  locks: [],
  approved: [],
  isInSource: false,
  granuleBytes: 100_000,
});

it('rows of a file are checked as saves are', async () => {
  await fc.assert(
    fc.asyncProperty(situation, async ({ fields, columns, rows, stored }) => {
      const task = taskOf(fields);
      const content = qvdBytes(
        ['id', ...columns],
        rows.map((values, index) => [`k${index}`, ...columns.map((_, at) => values[at] ?? null)]),
      );
      const file = await openQvd(new Blob([new Uint8Array(content)]));
      const matching = matchColumns('a.qvd', file.columns, file.tableName, task.structure, 'ADMIN');
      const write = rowWriter(matching, task);
      const looked: string[] = [];
      const checked = new CheckedRows(task, async (keys) => {
        // As many as fit.
        const some = keys.slice(0, 1 + (keys.length % 3));
        looked.push(...some);
        const found = some.map((key): StoredRow | null => {
          const data = stored[Number(key.slice(1))] ?? null;
          return data && { version: 7, user: 'u', data };
        });
        return { rows: found, deleted: new Set() };
      });
      const written = [];
      const read = [matching.key, ...matching.fields.map(({ column }) => column)];
      for await (const block of file.blocks({ columns: read }))
        for (let row = 0; row < block.rowCount; row += 1) written.push(write(block, row, 0));
      const good = await checked.accept(written.filter((row) => row !== undefined));

      const model = rowCheck(fields);
      const expected = rows.map((values, index) => {
        const given = Object.fromEntries(
          fields.flatMap(({ name, type }) => {
            const cell = values[columns.indexOf(name)] ?? null;
            const [number, shown] = typeof cell === 'number' ? [cell, null] : [null, cell as string | null];
            const read =
              cell === null ? null : fieldTypes[type].fromQvd(new Cell(number, shown, { type: 'text' }));
            // An empty text where the type has none is no value.
            const isNone = read === null || (read === '' && fieldTypes[type].canonical('') === undefined);
            return isNone || !columns.includes(name) ? [] : [[name, read]];
          }),
        );
        return { key: `k${index}`, ...model.check(given, stored[index] ?? null) };
      });
      const refused = expected.filter(({ refusals }) => refusals.length > 0);
      expect(checked.tally.rows).toBe(refused.length);
      expect(checked.tally.first).toEqual(
        refused.flatMap(({ key, refusals }) =>
          refusals.map(({ field, rule }) => expect.objectContaining({ key, field, rule })),
        ),
      );
      const fitting = expected.filter(({ refusals }) => refusals.length === 0);
      expect(good.map(([key, , data]) => [key, JSON.parse(data)])).toEqual(
        fitting.map(({ key, data }) => [
          key,
          Object.fromEntries(Object.entries(data).filter(([, one]) => one !== null)),
        ]),
      );
      for (const [key, user, data, , version, search] of good) {
        expect(search).toBe(searchText(key, user, JSON.parse(data)));
        const isStored = Boolean(stored[Number(key.slice(1))]);
        expect(version).toBe(looked.includes(key) ? (isStored ? 7 : 0) : null);
      }
      expect(looked.length).toBeGreaterThanOrEqual(model.needsStored ? rows.length : refused.length);
    }),
    { numRuns: RUNS },
  );
});
