import { plainValue } from '../plain-value.ts';
import type { QvdBlock, QvdVector } from '../table.ts';
import { csvField } from './csv.ts';

export type RowFormat = 'ndjson' | 'csv';

/** Formats a cell, and joins the cells of a row. */
interface Format {
  readonly cell: (vector: QvdVector, value: string | number | null) => string;
  readonly row: (cells: readonly string[]) => string;
}

const FORMATS: Readonly<Record<RowFormat, Format>> = {
  ndjson: {
    // Not JSON.stringify of an object, which would lose a column __proto__ and move columns 1, 2, 3 to the front.
    cell: ({ column }, value) => `${JSON.stringify(column.name)}:${json(value)}`,
    row: (cells) => `{${cells.join(',')}}\n`,
  },
  csv: {
    cell: (_, value) => csvField(value),
    row: (cells) => `${cells.join(',')}\r\n`,
  },
};

/** NaN and infinity become texts, because JSON has no such numbers. */
const json = (value: string | number | null): string =>
  JSON.stringify(typeof value === 'number' && !Number.isFinite(value) ? String(value) : value);

export function formatHeader(names: readonly string[], format: RowFormat): string {
  return format === 'csv' ? FORMATS.csv.row(names.map(csvField)) : '';
}

/** At most `limit` rows of a block as text. */
export function formatBlock({ vectors, rowCount }: QvdBlock, format: RowFormat, limit: number): string {
  const { cell, row } = FORMATS[format];
  const columns = vectors.map((vector) => {
    const { codes, column, symbols } = vector;
    const cells = new Map<number, string>([[-1, cell(vector, null)]]);
    return (index: number): string => {
      const code = codes[index] ?? -1;
      let text = cells.get(code);
      if (text === undefined) cells.set(code, (text = cell(vector, plainValue(column, symbols, code))));
      return text;
    };
  });
  let text = '';
  for (let index = 0; index < Math.min(rowCount, limit); index++) {
    text += row(columns.map((column) => column(index)));
  }
  return text;
}
