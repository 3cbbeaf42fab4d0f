import { type FieldType, fieldTypes } from '@kaptain/contract/fields';
import { type NewValue, openQvd, QvdWriter } from '@kaptain/qvd';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../../../tools/any-character.ts';
import { sized } from '../../../../../tools/test-size.ts';
import { columnsOf, fieldNames } from './columns.ts';
import { QvdFile } from './qvd-file.ts';
import { aKapsule, type Data, linesOf, partsOf } from './testing/lines.ts';

const types: FieldType[] = ['text', 'number', 'boolean', 'date', 'timestamp', 'list'];
const kapsule = aKapsule(types.map((type) => ({ name: type, type })));
const columns = columnsOf(kapsule);

const moment = fc.date({
  noInvalidDate: true,
  min: new Date('0000-01-01'),
  max: new Date('9999-12-31T23:59:59.999Z'),
});
const time = fc.oneof(
  moment.map((date) => date.toISOString()),
  moment.map((date) => date.toISOString().slice(0, 10)),
  moment.map((date) => date.toISOString().slice(0, 23).replace('T', ' ')),
  fc.constantFrom(
    '2026-02-29',
    '2024-02-29',
    '2026-13-01',
    '2026-01-01T24:00:00.000Z',
    '2026-01-01T00:00:00.000Z',
  ),
  fc.constantFrom('2026-01-01T10:00:60.000Z', '2026-1-01', '0001-01-01', '0099-12-31T00:00:00.001Z', 'Z', ''),
);
const value = fc.oneof(
  time,
  fc.string({ unit: anyCharacter }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.string(), { maxLength: 2 }),
);
const data: fc.Arbitrary<Data> = fc.array(fc.tuple(fc.constantFrom<string>(...types), value), {
  maxLength: 8,
});
const rows = fc.array(
  fc.record({
    key: fc.string(),
    user: fc.string(),
    data,
    updatedAt: moment.map((date) => date.toISOString()),
  }),
  { maxLength: 20 },
);

const newWriter = () =>
  new QvdWriter({
    tableName: kapsule.name,
    columns: columns.map(({ name, type }) => ({ name, type: fieldTypes[type].qvdColumn })),
    createdAt: new Date(0),
  });

/** The file of values that were parsed line by line. */
function expected(lines: string): Buffer {
  const writer = newWriter();
  for (const line of lines.split('\n').slice(0, -1)) {
    const granule = JSON.parse(line) as Record<string, unknown> & { data: Record<string, unknown> };
    const fields = fieldNames(kapsule).map((name) => granule.data[name]);
    const values = [granule['key'], ...fields, granule['user'], granule['createdAt'], granule['updatedAt']];
    writer.addRow(
      values.map((one, index): NewValue => fieldTypes[columns[index]?.type ?? 'text'].toQvd(one)),
    );
  }
  return Buffer.concat([...writer.chunks()]);
}

/** The header tells when the file was made. */
const withoutTime = (file: Buffer): string =>
  file.toString('latin1').replace(/<CreateUtcTime>[^<]*/, '<CreateUtcTime>');

it('the cells of a file are those of its parsed lines', () => {
  fc.assert(
    fc.property(rows, fc.integer({ min: 1, max: 7 }), (given, perPart) => {
      const lines = linesOf(given);
      const file = new QvdFile(kapsule);
      for (const part of partsOf(lines, perPart)) expect(file.add(part)).toHaveLength(0);
      expect(withoutTime(Buffer.concat([...file.rest()]))).toBe(withoutTime(expected(lines)));
    }),
    { numRuns: sized(500, 25) },
  );
});

it('its rows can be read by other programs', async () => {
  const given = Array.from({ length: 800 }, (_, n): { key: string; user: string; data: Data } => ({
    key: `ORD-${n}`,
    user: `u${n % 7}`,
    data: [
      ['text', `a comment ${n}`],
      ['number', n / 4],
    ],
  }));
  const made = new QvdFile(kapsule);
  for (const part of partsOf(linesOf(given), 100)) made.add(part);
  expect(made.memory).toBeGreaterThan(given.length * columns.length * 4);
  const file = await openQvd(new Blob([...made.rest()]));
  expect(file.rowCount).toBe(given.length);
  const keys: unknown[] = [];
  for await (const [key, comment] of file.rows()) keys.push([key, comment]);
  expect(keys).toEqual(given.map(({ key, data: [first] }) => [key, first?.[1]]));
});
