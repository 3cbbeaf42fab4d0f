import { expect, test } from 'vitest';
import { sized } from '../../../../tools/test-size.ts';
import { toArray, written } from '../testing/memory-file.ts';
import { ColumnWriter } from './column-writer.ts';
import { QvdWriter } from './writer.ts';

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
  column.add('b');
  expect([...column.symbols.bytes()]).toEqual([4, 0x62, 0]);
});

test('the memory of rows is known while they are added', () => {
  const writer = new QvdWriter({ tableName: 'T', columns: [{ name: 'a' }] });
  const before = writer.memory;
  for (let row = 0; row < 100_000; row++) writer.addRow([`a value of thirty characters ${row}`]);
  expect(writer.memory - before).toBeGreaterThan(100_000 * 34);
  expect(writer.memory).toBeLessThan(20e6);
});
