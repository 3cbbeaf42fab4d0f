import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { toArray, written } from '../testing/memory-file.ts';
import { ColumnWriter } from './column-writer.ts';
import { QvdWriter } from './writer.ts';

const encoder = new TextEncoder();
const types = ['text', 'date', 'timestamp', 'time', 'number', undefined] as const;
const moment = fc.date({
  noInvalidDate: true,
  max: new Date('9999-12-31T23:59:59.999Z'),
  min: new Date('0000-01-01'),
});
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }).map((value) => value.replaceAll('\0', '')),
  moment.map((date) => date.toISOString().slice(0, 10)),
  moment.map((date) => date.toISOString().slice(0, 23)),
  moment.map((date) => date.toISOString().slice(0, 19).replace('T', ' ')),
  fc.constantFrom(
    '2023-02-29',
    '2024-02-29T23:59:59.999',
    '2024-02-29T24:00:00.000',
    '2024-02-29T10:0a:00.000',
  ),
);

test('bytes in UTF-8 become the same symbols as the text they are', () => {
  fc.assert(
    fc.property(fc.constantFrom(...types), fc.array(text, { maxLength: 30 }), (type, texts) => {
      const [byText, byBytes] = [new ColumnWriter(type), new ColumnWriter(type)];
      for (const one of texts) {
        byText.add(one);
        const bytes = encoder.encode(`"${one}"`);
        byBytes.addUtf8(bytes, 1, bytes.length - 1);
      }
      expect(byBytes.symbols.bytes()).toEqual(byText.symbols.bytes());
      const codes = (writer: ColumnWriter) => texts.map((_, row) => writer.code(row));
      expect(codes(byBytes)).toEqual(codes(byText));
      expect(new Set(codes(byBytes)).size).toBe(byBytes.symbolCount);
    }),
    { numRuns: sized(500, 100) },
  );
});

test('more distinct values than two bytes count, and their repetition, are told apart', async () => {
  const count = sized(100_000, 66_000);
  const value = (n: number) =>
    n % 3 === 0 ? n : n % 3 === 1 ? `text ${n}` : { number: n / 7, text: `${n}` };
  const rows = Array.from({ length: count }, (_, n) => [value(n)]);
  const given = [...rows, ...rows.slice(0, 2_000), ...rows.slice(-2_000)];
  const qvd = await written([{ name: 'a' }], given);
  expect(qvd.columns[0]?.symbolCount).toBe(count);
  const read = await toArray(qvd.rows());
  // As text, because comparing so many values takes ten times as long.
  expect(JSON.stringify(read) === JSON.stringify(given)).toBe(true);
});

test('a refused text leaves nothing behind', () => {
  const column = new ColumnWriter('text');
  expect(() => column.add('a\0')).toThrow(RangeError);
  expect(() => column.addUtf8(Uint8Array.of(0x61, 0), 0, 2)).toThrow(RangeError);
  column.add('b');
  expect([...column.symbols.bytes()]).toEqual([4, 0x62, 0]);
});

test('columns with different numbers of rows make no file', () => {
  const writer = new QvdWriter({ tableName: 'T', columns: [{ name: 'a' }, { name: 'b' }] });
  writer.columns[0]?.add(1);
  expect(() => [...writer.chunks()]).toThrow(RangeError);
});

test('the memory of rows is known while they are added', () => {
  const writer = new QvdWriter({ tableName: 'T', columns: [{ name: 'a' }] });
  const before = writer.memory;
  for (let row = 0; row < 100_000; row++) writer.addRow([`a value of thirty characters ${row}`]);
  expect(writer.memory - before).toBeGreaterThan(100_000 * 34);
  expect(writer.memory).toBeLessThan(20e6);
});
