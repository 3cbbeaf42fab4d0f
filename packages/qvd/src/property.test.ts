import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyCharacter } from '../../../tools/any-character.ts';
import { sized } from '../../../tools/test-size.ts';
import { toArray, written } from './testing/memory-file.ts';
import type { NewValue } from './writer/cell.ts';

/** All values of a cell: texts without U+0000 and without lone surrogates. */
const text = fc.string({ unit: anyCharacter }).map((value) => value.replaceAll('\0', ''));
const number = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom(0, -0, 2 ** 31, -(2 ** 31)),
);
const cell = fc.oneof(text, number, fc.record({ number, text }), fc.constant(null));
/** Few different values make narrow columns; one value makes a column without bits. */
const column = fc.oneof(
  fc.constant(cell),
  fc.array(cell, { minLength: 1, maxLength: 4 }).map((few) => fc.constantFrom(...few)),
  cell.map((only) => fc.constant(only)),
);
const name = text.filter((value) => value !== '');

const table = fc
  .tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 12 }), fc.nat(60))
  .chain(([names, rowCount]) =>
    fc.record({
      names: fc.constant(names),
      rows: fc.tuple(...names.map(() => column)).chain((cells) =>
        fc.array(fc.tuple(...(cells as fc.Arbitrary<NewValue>[])), {
          minLength: rowCount,
          maxLength: rowCount,
        }),
      ),
    }),
  );

test('values survive writing and reading', async () => {
  await fc.assert(
    fc.asyncProperty(table, async ({ names, rows }) => {
      const qvd = await written(
        names.map((name) => ({ name })),
        rows,
      );
      expect(qvd.columns.map(({ name }) => name)).toEqual(names);
      const read = await toArray(qvd.rows());
      // Not toStrictEqual, which compares the class of duals; only their numbers and texts matter.
      expect(read).toEqual(rows);
      const nulls = names.map((_, index) => rows.filter((row) => row[index] === null).length);
      expect(qvd.columns.map(({ nullCount }) => nullCount)).toEqual(nulls);
      expect(qvd.warnings.filter(({ code }) => code !== 'MIXED_COLUMN')).toEqual([]);
    }),
    { numRuns: sized(150, 25) },
  );
});
