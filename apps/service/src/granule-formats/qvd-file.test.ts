import type { FieldType } from '@kaptain/contract';
import { type NewValue, openQvd, QvdWriter } from '@kaptain/qvd';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { anyCharacter } from '../../../../tools/any-character.ts';
import { sized } from '../../../../tools/test-size.ts';
import { columnsOf, fieldNames } from './columns.ts';
import { JsonLines } from './json-lines.ts';
import { qvdFile } from './qvd-file.ts';
import { addCell, qvdType, qvdValue } from './qvd-value.ts';
import { aKapsule, chunksOf, type Data, joined, linesOf } from './testing/lines.ts';

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
    columns: columns.map(({ name, type }) => ({ name, type: qvdType(type) })),
    createdAt: new Date(0),
  });

/** The file of values that were parsed line by line. */
function expected(lines: string): Buffer {
  const writer = newWriter();
  for (const line of lines.split('\n').slice(0, -1)) {
    const granule = JSON.parse(line) as Record<string, unknown> & { data: Record<string, unknown> };
    const fields = fieldNames(kapsule).map((name) => granule.data[name]);
    const values = [granule['key'], ...fields, granule['user'], granule['createdAt'], granule['updatedAt']];
    writer.addRow(values.map((one, place): NewValue => qvdValue(one, columns[place]?.type ?? 'text')));
  }
  return Buffer.concat([...writer.chunks()]);
}

it('cells that are taken from the bytes of a line are those of its parsed values', () => {
  fc.assert(
    fc.property(rows, (given) => {
      const lines = linesOf(given);
      const bytes = Buffer.from(lines);
      const writer = newWriter();
      const scanner = new JsonLines(fieldNames(kapsule));
      scanner.chunk = bytes;
      for (let at = 0; at < bytes.length; ) {
        at = scanner.scan(at);
        for (const [place, column] of writer.columns.entries())
          addCell(column, scanner, place, columns[place]?.type ?? 'text');
      }
      expect(Buffer.concat([...writer.chunks()]).equals(expected(lines))).toBe(true);
    }),
    { numRuns: sized(500, 25) },
  );
});

it('a thread makes the same file, and leaves memory that chunks share to its owner', async () => {
  const given = Array.from({ length: 800 }, (_, n): { key: string; user: string; data: Data } => ({
    key: `ORD-${n}`,
    user: `u${n % 7}`,
    data: [
      ['text', `a comment ${n}`],
      ['number', n / 4],
    ],
  }));
  const lines = linesOf(given);
  const whole = new Uint8Array(Buffer.from(lines));
  const half = whole.indexOf(0x0a, whole.length / 2) + 1;
  async function* shared() {
    yield whole.subarray(0, half);
    expect(whole.length).toBe(lines.length);
    yield whole.subarray(half);
  }
  for (const chunks of [shared(), chunksOf(lines, 100)]) {
    const file = await openQvd(new Blob([new Uint8Array(await joined(qvdFile(chunks, kapsule)))]));
    expect(file.rowCount).toBe(given.length);
    const keys: unknown[] = [];
    for await (const [key, comment] of file.rows()) keys.push([key, comment]);
    expect(keys).toEqual(given.map(({ key, data: [first] }) => [key, first?.[1]]));
  }
});

it('more than the memory of a file is refused before the file begins', async () => {
  const lines = linesOf(
    Array.from({ length: 5000 }, (_, n) => ({ key: 'x'.repeat(100) + n, user: 'u', data: [] })),
  );
  const refused = joined(qvdFile(chunksOf(lines, 100), kapsule, 200_000));
  await expect(refused).rejects.toMatchObject({ code: 'TOO_LARGE' });
});
