export type Row = Record<string, string>;

export const unquoted = (text: string, quote: string) => text.slice(1, -1).replaceAll(quote + quote, quote);

/** RFC 4180. */
export function parseCsv(text: string): Row[] {
  const lines = [...text.matchAll(/(?:(?:"(?:[^"]|"")*"|[^",\r\n]*)(?:,|(?=\r\n)))+\r\n/g)].map(([line]) =>
    [...line.slice(0, -2).matchAll(/(?:^|,)("(?:[^"]|"")*"|[^,]*)/g)].map(([, cell = '']) =>
      cell.startsWith('"') ? unquoted(cell, '"') : cell,
    ),
  );
  const [names = [], ...rows] = lines;
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index] ?? ''])));
}

export function valueIn(row: Row, name: string): string {
  if (!Object.hasOwn(row, name)) throw new Error(`Field '${name}' not found`);
  return row[name] ?? '';
}

/** Turns the rows that a LOAD reads into its result. */
export type Load = (rows: readonly Row[]) => Row[];

/** The columns of a LOAD: fields, or expressions of one field, whose value is taken as it is. */
export function loadOf(columns: string): Load {
  const names = columns.split(',\n').map((column) => {
    const [source = '', target = source] = [...column.matchAll(/\[((?:[^\]]|\]\])*)\]/g)].map(
      ([, name = '']) => name.replaceAll(']]', ']'),
    );
    return [source, target] as const;
  });
  return (rows) =>
    rows.map((row) => Object.fromEntries(names.map(([source, target]) => [target, valueIn(row, source)])));
}
