import type { KapsuleRecord } from '@kaptain/store';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../../../tools/any-character.ts';
import { sized } from '../../../../../tools/test-size.ts';
import { type CsvReader, cell } from './csv-cell.ts';
import { CsvFile } from './csv-file.ts';
import { aKapsule, type Data, linesOf, partsOf } from './testing/lines.ts';

/** Characters that decide about quotes and apostrophes, at the beginning, in the middle and at the end. */
const ascii = [' ', ',', '"', '\r\n', '\t', '=', '+1', '-', '@', '\0', '\\', '12', '1,5', 'true', "'", ''];
const spaces = ['\u00a0', '\u1680', '\u2003', '\u2029', '\u3000', '\ufeff'];
const others = ['\u00a1', '\u3042', '\u8a8d', '\ud83d\ude00', '\ud800'];
const edge = fc.constantFrom(...ascii, ...spaces, ...others);
const text = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.array(edge, { maxLength: 4 }).map((parts) => parts.join('')),
);
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -100_000, max: 100_000 }).map((value) => value / 1000),
  fc.constantFrom(0, 1e-6, 1e-7, -1.5e-7, 1e20, 1e21, 123_456_789_012_345, 0.1234567890123456, 2 ** 53),
);
const value = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.array(text, { maxLength: 3 }));
const names = ['Comment', 'Ünit "x"', '__proto__', 'list\n'];
const data: fc.Arbitrary<Data> = fc.array(fc.tuple(fc.constantFrom(...names, 'unknown'), value), {
  maxLength: 6,
});
const updatedAt = fc.constantFrom('2026-02-28T10:11:12.345Z', '2026-02-28T10:11:12.345', '=1', '');
/** Some rows with the same members, and some with others. */
const rows = fc
  .array(fc.array(fc.record({ key: text, user: text, data, updatedAt }), { maxLength: 6 }), { maxLength: 4 })
  .map((some) =>
    some.flatMap((part) =>
      part.map((row, n) => ({ ...row, data: n % 3 ? (part[0]?.data ?? []) : row.data })),
    ),
  );

/** The expected file: every line parsed, every value formatted by itself. */
function expected(lines: string, reader: 'person' | 'program'): string {
  const row = (values: unknown[]) => `${values.map((one) => cell(one, reader)).join(',')}\r\n`;
  let all = `${reader === 'person' ? '\ufeff' : ''}${row(['Key', ...names, 'CreatedBy', 'CreatedAt', 'UpdatedAt'])}`;
  for (const line of lines.split('\n').slice(0, -1)) {
    const granule = JSON.parse(line) as Record<string, string> & { data: Record<string, unknown> };
    const fields = names.map((name) => (Object.hasOwn(granule.data, name) ? granule.data[name] : null));
    all += row([granule['key'], ...fields, granule['user'], granule['createdAt'], granule['updatedAt']]);
  }
  return all;
}

const kapsule: KapsuleRecord = aKapsule(names.map((name) => ({ name, type: 'text' })));

/** The file that is made of the lines when `perChunk` of them arrive at a time. */
function written(
  lines: string,
  perChunk: number,
  options: { reader: CsvReader; watermark?: string },
): string {
  const file = new CsvFile({ kapsule, ...options });
  const bytes = [...partsOf(lines, perChunk).map((part) => file.add(part)), ...file.rest()];
  return Buffer.concat(bytes).toString();
}

it.each(['person', 'program'] as const)('a %s gets every value as if each were parsed', (reader) => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 5 }), (given, perChunk) => {
      const lines = linesOf(given);
      const file = written(lines, perChunk, { reader });
      expect(file).toBe(Buffer.from(expected(lines, reader)).toString());
    }),
    { numRuns: sized(300, 60) },
  );
});

it('numbers that JavaScript writes in another form are written in that form', () => {
  const numbers = ['1.50', '1e3', '-0', '-0.0', '0.00000012', '1'.padEnd(24, '0'), '12345678901234567'];
  const lines = numbers.map((number) => `{"key":"k","data":{"Comment": ${number} }}\n`).join('');
  const file = written(lines, 3, { reader: 'program' });
  expect(file.split('\r\n').slice(1, -1)).toEqual(
    numbers.map((number) => `k,${String(Number(number))},,,,,,`),
  );
});

it('fields that are named as what every object has are empty where a row has none', () => {
  const fields = ['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((name) => ({
    name,
    type: 'text' as const,
  }));
  const file = new CsvFile({ kapsule: aKapsule(fields), reader: 'program' });
  const row = Buffer.from(file.add(Buffer.from(linesOf([{ key: 'k', user: 'u', data: [] }])))).toString();
  expect(row).toMatch(/\r\nk,,,,,u,/);
});

it('a line that is cut off is an error, and no endless loop', () => {
  const line = linesOf([{ key: 'k', user: 'u', data: [['Comment', ['a\\"b', 1]]] }]);
  for (let length = 1; length < line.length - 1; length++)
    expect(() => written(line.slice(0, length), 1, { reader: 'person' })).toThrow('no JSON');
});

it('only the last row has the watermark, and an empty file has none', () => {
  const three = linesOf(['a', 'b', 'c'].map((key) => ({ key, user: 'u', data: [] })));
  const watermark = '7.x';
  for (const perChunk of [1, 2, 3]) {
    const file = written(three, perChunk, { reader: 'program', watermark });
    const ends = file.split('\r\n').map((row) => row.split(',').at(-1));
    expect(ends).toEqual(['KaptainWatermark', '', '', '7.x', '']);
  }
  const empty = written('', 1, { reader: 'program', watermark });
  expect(empty).toMatch(/^Key,[^\r]+,KaptainWatermark\r\n$/);
});
