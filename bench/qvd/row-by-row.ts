import { readFileSync } from 'node:fs';
import { stopwatch } from './stopwatch.ts';

/**
 * The reference: a straightforward QVD reader, like the public ones in JavaScript. It holds the whole file in memory,
 * reads the header by regular expressions, decodes every symbol, and converts every row to bits and then to an object.
 */
interface ReferenceTimes {
  readonly rows: number;
  readonly nulls: number;
  /** The time for everything but the rows. */
  readonly setupMs: number;
  /** The time for the first `limit` rows. */
  readonly rowsMs: number;
}

interface Field {
  readonly name: string;
  readonly bitOffset: number;
  readonly bitWidth: number;
  readonly bias: number;
  readonly symbols: readonly unknown[];
}

export function readRowByRow(path: string, limit: number): ReferenceTimes {
  const elapsed = stopwatch();
  const file = readFileSync(path);
  const base = file.indexOf(0) + 1;
  const header = file.toString('utf8', 0, base);
  const root = header.slice(header.indexOf('</Fields>'));
  const fields = header
    .split('<QvdFieldHeader>')
    .slice(1)
    .map(
      (xml): Field => ({
        name: /<FieldName>(.*?)<\/FieldName>/.exec(xml)?.[1] ?? '',
        bitOffset: number(xml, 'BitOffset'),
        bitWidth: number(xml, 'BitWidth'),
        bias: number(xml, 'Bias'),
        symbols: decodeSymbols(file, base + number(xml, 'Offset'), number(xml, 'Length')),
      }),
    );
  const setupMs = elapsed();
  const size = number(root, 'RecordByteSize');
  const rowsAt = base + number(root, 'Offset');
  const rows = Math.min(limit, number(root, 'NoOfRecords'));
  let nulls = 0;
  const table: Record<string, unknown>[] = [];
  for (let row = 0; row < rows; row++) {
    const record = file.subarray(rowsAt + row * size, rowsAt + (row + 1) * size);
    const bits = [...record].flatMap((byte) =>
      byte.toString(2).padStart(8, '0').split('').map(Number).toReversed(),
    );
    const values: Record<string, unknown> = {};
    for (const { name, bitOffset, bitWidth, bias, symbols } of fields) {
      const indexBits = bits.slice(bitOffset, bitOffset + bitWidth);
      const index = indexBits.reduce((sum, bit, position) => sum + bit * 2 ** position, 0) + bias;
      values[name] = index < 0 ? null : symbols[index];
      if (index < 0) nulls++;
    }
    table.push(values);
  }
  return { rows, nulls, setupMs, rowsMs: elapsed() - setupMs };
}

const number = (xml: string, name: string): number =>
  Number(new RegExp(`<${name}>(-?\\d+)</${name}>`).exec(xml)?.[1]);

function decodeSymbols(file: Buffer, start: number, length: number): unknown[] {
  const symbols: unknown[] = [];
  let at = start;
  while (at < start + length) {
    const kind = file.readUInt8(at++);
    let value: number | undefined;
    if (kind === 1 || kind === 5) {
      value = file.readInt32LE(at);
      at += 4;
    } else if (kind === 2 || kind === 6) {
      value = file.readDoubleLE(at);
      at += 8;
    }
    if (kind < 4) {
      symbols.push(value);
      continue;
    }
    const letters: number[] = [];
    while (file[at] !== 0) letters.push(file.readUInt8(at++));
    at++;
    const text = Buffer.from(letters).toString('utf8');
    symbols.push(value === undefined ? text : { number: value, text });
  }
  return symbols;
}
