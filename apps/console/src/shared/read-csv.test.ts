import { expect, test } from 'vitest';
import { readCsv } from './read-csv.ts';

test('reads values with quotes, separators and line ends, by any separator and line end', () => {
  expect(readCsv('\ufeffa,b\r\n1,"x, ""y""\nz"\r\n\r\n')).toEqual([
    ['a', 'b'],
    ['1', 'x, "y"\nz'],
  ]);
  expect(readCsv('a;b\n1,5;2')).toEqual([
    ['a', 'b'],
    ['1,5', '2'],
  ]);
  expect(readCsv('a\tb\n"1"\t')).toEqual([
    ['a', 'b'],
    ['1', ''],
  ]);
  expect([readCsv(''), readCsv(' \n,\n')]).toEqual([[], []]);
});
