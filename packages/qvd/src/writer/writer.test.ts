import { expect, test } from 'vitest';
import { qvdBytes, toArray, written } from '../testing/memory-file.ts';
import { layOutBits } from './bit-layout.ts';
import { QvdWriter } from './writer.ts';

const header = async (blob: Blob) => (await blob.text()).split('\0')[0] ?? '';
const all = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, 'g'))].map(([, value]) => Number(value));

test('dates become duals of day number and ISO text', async () => {
  const columns = [
    { name: 'd', type: 'date' },
    { name: 't', type: 'timestamp' },
    { name: 'h', type: 'time' },
  ] as const;
  const moment = new Date('2024-02-29T12:00:00Z');
  const qvd = await written(columns, [
    ['2024-02-29', '2024-02-29T12:00:00', '06:00'],
    [moment, moment, moment],
    ['soon', null, undefined],
  ]);
  expect(await toArray(qvd.rows())).toEqual([
    [
      { number: 45_351, text: '2024-02-29' },
      { number: 45_351.5, text: '2024-02-29 12:00:00' },
      { number: 0.25, text: '06:00:00' },
    ],
    [
      { number: 45_351, text: '2024-02-29' },
      { number: 45_351.5, text: '2024-02-29 12:00:00' },
      { number: 0.5, text: '12:00:00' },
    ],
    ['soon', null, null],
  ]);
  expect(qvd.columns.map(({ type }) => type)).toEqual(['text', 'timestamp', 'time']);
});

test('rows are whole bytes without gaps or overlaps, and symbol tables are contiguous', async () => {
  const rows = Array.from({ length: 300 }, (_, row) => [
    row,
    row % 3,
    row % 5 === 0 ? null : 'x',
    'same',
    null,
  ]);
  const columns = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name }));
  const blob = await qvdBytes(columns, rows);
  const xml = await header(blob);
  const widths = all(xml, 'BitWidth');
  const [recordBytes] = all(xml, 'RecordByteSize');
  expect(widths.reduce((sum, width) => sum + width, 0)).toBe((recordBytes ?? 0) * 8);
  const bits = all(xml, 'BitOffset').map((offset, index) => [offset, widths[index] ?? 0] as const);
  let end = 0;
  for (const [offset, width] of bits.filter(([, width]) => width > 0).sort(([a], [b]) => a - b)) {
    expect(offset).toBe(end);
    end += width;
  }
  const [offsets, lengths] = [all(xml, 'Offset'), all(xml, 'Length')];
  for (let index = 0; index + 1 < offsets.length; index++) {
    expect(offsets[index + 1]).toBe((offsets[index] ?? 0) + (lengths[index] ?? 0));
  }
  expect(xml.endsWith('</QvdTableHeader>\r\n')).toBe(true);
});

test('a table of constants and an empty table have rows of one byte', () => {
  expect(layOutBits([{ symbolCount: 1, hasNulls: false }]).recordBytes).toBe(1);
  const empty = layOutBits([
    { symbolCount: 0, hasNulls: false },
    { symbolCount: 0, hasNulls: false },
  ]);
  expect(empty.ranges.map(({ width }) => width)).toEqual([0, 8]);
});

test('the widest columns are never widened beyond 32 bits', () => {
  const { ranges } = layOutBits([
    { symbolCount: 2 ** 31 - 3, hasNulls: true },
    { symbolCount: 3, hasNulls: false },
  ]);
  expect(ranges.map(({ width }) => width)).toEqual([31, 9]);
});

test.each([
  ['no columns', () => new QvdWriter({ tableName: 'T', columns: [] })],
  [
    'two columns of one name',
    () => new QvdWriter({ tableName: 'T', columns: [{ name: 'a' }, { name: 'a' }] }),
  ],
  ['a column without a name', () => new QvdWriter({ tableName: 'T', columns: [{ name: '' }] })],
  ['U+0000 in a name', () => new QvdWriter({ tableName: 'T', columns: [{ name: 'a\0' }] })],
  [
    'a row of the wrong length',
    () => new QvdWriter({ tableName: 'T', columns: [{ name: 'a' }] }).addRow([1, 2]),
  ],
  ['U+0000 in a text', () => new QvdWriter({ tableName: 'T', columns: [{ name: 'a' }] }).addRow(['\0'])],
])('%s can not be written', (_, write) => {
  expect(write).toThrow(RangeError);
});

test('integers that fit 32 bits are stored as integers, all others as doubles', async () => {
  const numbers = [0, 1, -1, 2 ** 31 - 1, -(2 ** 31), 2 ** 31, 0.5, -0, Number.NaN];
  const qvd = await written(
    [{ name: 'n' }],
    numbers.map((value) => [value]),
  );
  for await (const { vectors } of qvd.blocks()) {
    const kinds = numbers.map((_, code) => vectors[0]?.symbols.kind(code));
    expect(kinds).toEqual(['int', 'int', 'int', 'int', 'int', 'double', 'double', 'double', 'double']);
  }
});

test('a time is read the same each time it comes, and after many others', async () => {
  const day = (n: number) => new Date(Date.UTC(1900, 0, 1 + n)).toISOString().slice(0, 10);
  const days = Array.from({ length: 12_000 }, (_, n) => day(n % 11_000));
  const qvd = await written(
    [
      { name: 'd', type: 'date' },
      { name: 't', type: 'timestamp' },
    ],
    days.map((text) => [text, text]),
  );
  expect(qvd.columns.map(({ symbolCount }) => symbolCount)).toEqual([11_000, 11_000]);
  const rows = await toArray(qvd.rows());
  expect(rows.slice(11_000)).toEqual(rows.slice(0, 1_000));
  expect(rows[1]).toEqual([
    { number: 3, text: day(1) },
    { number: 3, text: `${day(1)} 00:00:00` },
  ]);
});
