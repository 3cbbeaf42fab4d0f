import type { Field } from '@kaptain/contract';
import { type NewValue, openQvd } from '@kaptain/qvd';
import { searchText } from '@kaptain/store/folding';
import type { PackedRow } from '@kaptain/store/packed-rows';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../../../../tools/any-character.ts';
import { sized } from '../../../../../tools/test-size.ts';
import { qvdBytes } from '../../testing/qvd.ts';
import { matchColumns } from './match-columns.ts';
import { rowWriter } from './row-writer.ts';

const RUNS = sized(500, 20);
// A number as a name comes first in an object, wherever its column is.
const fields: Field[] = [
  { _id: '1', name: 'Comment', type: 'text' },
  { _id: '2', name: '2026', type: 'number' },
  { _id: '3', name: 'Tags', type: 'list' },
  { _id: '4', name: '__proto__', type: 'text' },
];
const structure = { keyField: 'Id', table: 'Orders', fields };

async function written(
  rows: NewValue[][],
  { granuleBytes = 1_000_000, isDryRun = false } = {},
): Promise<PackedRow[]> {
  const columns = ['Id', ...fields.map(({ name }) => name), 'createdBy'];
  const file = await openQvd(new Blob([new Uint8Array(qvdBytes(columns, rows))]));
  const matching = matchColumns('orders.qvd', file.columns, file.tableName, structure, 'ADMIN');
  const write = rowWriter(matching, { author: 'Ömer', granuleBytes, isDryRun, structure });
  const wanted = [matching.key, ...matching.fields.map(({ column }) => column)];
  const all: (PackedRow | undefined)[] = [];
  const read = [...wanted, ...(matching.createdBy === undefined ? [] : [matching.createdBy])];
  for await (const block of file.blocks({ columns: read }))
    for (let row = 0; row < block.rowCount; row += 1) all.push(write(block, row, 0)?.row);
  return all.filter((row) => row !== undefined);
}

describe('the rows of a QVD file', () => {
  it('are what a store makes of them: data, its order and the text that is searched', async () => {
    const tricky = fc.constantFrom('Σ', 'ΟΔΟΣ', 'İ', 'ẞ', '\u0301', '가', '\u1100', '\u1161', '\n', '');
    const text = fc.oneof(
      tricky,
      fc.string({ unit: anyCharacter }),
      fc.array(tricky).map((parts) => parts.join('')),
    );
    // A text of a QVD file ends at U+0000 and is UTF-8; a list in it can have both.
    const inFile = text.map((given) => given.replaceAll('\0', '').toWellFormed());
    const list = fc.constant('["\\u0000","\\ud800","Σ",1e400,-0]');
    const value = fc.oneof(
      list,
      inFile,
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constant(null),
    );
    const row = fc.tuple(inFile, value, value, value, value, inFile);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
        for (const [key, user, data, , , search] of await written(rows)) {
          const values: unknown = JSON.parse(data);
          expect(data).toBe(JSON.stringify(values));
          expect(search).toBe(searchText(key, user, values));
        }
      }),
      { numRuns: RUNS },
    );
  });

  it('have the author of the file, or else the importer; rows without a key are left out', async () => {
    const rows = await written([
      ['a', 'Text', 1, '["x","Y"]', null, 'Ann'],
      ['b', null, null, null, null, null],
      [null, 'Text', 1, null, null, 'Ann'],
    ]);
    expect(rows).toEqual([
      ['a', 'Ann', '{"2026":1,"Comment":"Text","Tags":["x","Y"]}', null, null, 'a\nann\n1\ntext\nx\ny'],
      ['b', 'Ömer', '{}', null, null, 'b\nömer'],
    ]);
  });

  it('may have as many bytes as a granule, and are refused with one more, also on a dry run', async () => {
    const exact = ['k', 'ö'.repeat(10), 1, null, null, null];
    const granuleBytes = Buffer.byteLength(`{"2026":1,"Comment":"${exact[1]}"}`);
    const longer = ['k', `${exact[1]}y`, 1, null, null, null];
    for (const isDryRun of [false, true]) {
      expect(await written([exact], { granuleBytes, isDryRun })).toHaveLength(1);
      await expect(written([exact, longer], { granuleBytes, isDryRun })).rejects.toMatchObject({
        code: 'TOO_LARGE',
        message: `row 2 (key "k") has ${granuleBytes + 1} bytes of data; one record may have at most ${granuleBytes}.`,
      });
    }
  });
});

it('the columns found and expected are named where no field has one', () => {
  const found = ['Id', 'Remark'].map((name) => ({ name, label: name }));
  expect(() => matchColumns('a.qvd', found, 'T', structure, 'ADMIN')).toThrow(
    'a.qvd: there is no column for any field. Columns found: Id, Remark. Columns expected: Id and at least one of Comment, 2026, Tags, __proto__.',
  );
});
