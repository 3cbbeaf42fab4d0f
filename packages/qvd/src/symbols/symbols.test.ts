import { expect, test } from 'vitest';
import { openQvd, type QvdSymbols } from '../index.ts';
import { craft, double, dual, int, join, text } from '../testing/craft.ts';

async function symbolsOf(table: Uint8Array, NoOfSymbols: number): Promise<QvdSymbols> {
  const fields = [{ FieldName: 'C', BitWidth: 8, symbols: table, NoOfSymbols }];
  const qvd = await openQvd(new Blob([craft({ fields, rows: Uint8Array.of(0) })]));
  for await (const { vectors } of qvd.blocks()) return (vectors[0] as { symbols: QvdSymbols }).symbols;
  throw new Error('no rows');
}

test('number and text are the same before and after all values were decoded', async () => {
  const symbols = await symbolsOf(join(int(1), double(2), text('x'), dual(4, 'four'), text('größe')), 5);
  const numbersAndTexts = () =>
    [0, 1, 2, 3, 4].map((code) => [
      symbols.kind(code),
      symbols.number(code),
      symbols.text(code),
      symbols.value(code),
    ]);
  const before = numbersAndTexts();
  expect(symbols.valuesOf(Int32Array.of(4, -1, 0))).toEqual(['größe', null, 1]);
  expect(numbersAndTexts()).toEqual(before);
  expect(before).toEqual([
    ['int', 1, null, 1],
    ['double', 2, null, 2],
    ['text', null, 'x', 'x'],
    ['dualInt', 4, 'four', { number: 4, text: 'four' }],
    ['text', null, 'größe', 'größe'],
  ]);
});

test('texts of every length up to 40 are decoded, ASCII or not', async () => {
  const lengths = Array.from({ length: 41 }, (_, length) => length);
  for (const letter of ['a', 'ü', '漢', '😀']) {
    const symbols = await symbolsOf(
      join(...lengths.map((length) => text(letter.repeat(length)))),
      lengths.length,
    );
    expect(lengths.map((length) => symbols.text(length))).toEqual(
      lengths.map((length) => letter.repeat(length)),
    );
  }
});

test.each([
  ['whole numbers', int, (index: number) => index - 7],
  ['fractions', double, (index: number) => index / 4],
])('%s are read from a table that is too large for the value cache', async (_, symbol, valueAt) => {
  const count = 131_073;
  const bytes = symbol(0).length;
  const table = new Uint8Array(count * bytes);
  for (let index = 0; index < count; index++) table.set(symbol(valueAt(index)), index * bytes);
  const symbols = await symbolsOf(table, count);
  const codes = [0, 1, -1, 70_000, count - 1];
  expect(symbols.valuesOf(Int32Array.from(codes))).toEqual(
    codes.map((code) => (code < 0 ? null : valueAt(code))),
  );
});
