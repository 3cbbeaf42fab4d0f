import { open } from 'node:fs/promises';
import { layOutBits } from '../../packages/qvd/src/writer/bit-layout.ts';
import { ColumnWriter } from '../../packages/qvd/src/writer/column-writer.ts';
import type { PackedColumn } from '../../packages/qvd/src/writer/packed-column.ts';
import { packRows } from '../../packages/qvd/src/writer/row-packer.ts';
import { writeHeader } from '../../packages/qvd/src/writer/write-header.ts';
import type { Shape } from './shapes.ts';

/** Writes a large file of these shapes; rows are generated while they are packed, so only the symbols take memory. */
export async function generate(path: string, shapes: readonly Shape[], rowCount: number): Promise<void> {
  const columns = shapes.map((shape, index) => generateColumn(shape, index, rowCount));
  const layout = layOutBits(columns);
  const file = await open(path, 'wx');
  try {
    await file.writeFile(writeHeader({ tableName: 'Bench', columns: shapes }, columns, layout));
    for (const { symbols } of columns) await file.writeFile(symbols.bytes());
    for (const rows of packRows(columns, layout, rowCount)) await file.writeFile(rows);
  } finally {
    await file.close();
  }
}

function generateColumn(shape: Shape, index: number, rowCount: number): PackedColumn {
  const { values, nullShare = 0, unique = false, value } = shape;
  const writer = new ColumnWriter(undefined);
  for (let i = 0; i < values; i++) writer.add(value(i));
  const code = unique
    ? (row: number) => row
    : (row: number) => {
        const random = scramble(row * 16 + index);
        if (random % 1000 < nullShare * 1000) return -1;
        return scramble(random) % values;
      };
  const { symbols, symbolCount } = writer;
  return { symbols, symbolCount, hasNulls: nullShare > 0, rowCount, code };
}

/** A pseudo-random number, the same in every run. */
function scramble(seed: number): number {
  let x = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}
