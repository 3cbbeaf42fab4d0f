import type { QvdTable } from '../table.ts';
import { formatBlock, formatHeader, type RowFormat } from './row-formats.ts';

export type Print = (text: string) => Promise<void>;

/** Prints the metadata of a table as one JSON document, without Lineage and CreatorDoc. */
export async function info(qvd: QvdTable, print: Print): Promise<void> {
  await qvd.verify();
  const columns = qvd.columns.map(({ name, type, nullCount, symbolCount, tags, mixed }) => ({
    name,
    type,
    nulls: nullCount,
    distinct: symbolCount,
    tags,
    ...(mixed ? { mixed } : {}),
  }));
  const { tableName, rowCount, warnings } = qvd;
  await print(`${JSON.stringify({ tableName, rows: rowCount, columns, warnings }, null, 2)}\n`);
}

/** Reads the whole file and reports that it is sound. */
export async function check(qvd: QvdTable, print: Print): Promise<void> {
  await qvd.verify();
  const { rowCount, columns, warnings } = qvd;
  await print(`${JSON.stringify({ ok: true, rows: rowCount, columns: columns.length, warnings })}\n`);
}

export interface CatOptions {
  readonly format: RowFormat;
  readonly columns?: readonly string[] | undefined;
  readonly limit: number;
}

/** Prints the rows. All rows are checked before the first is printed, so the output is never part of a damaged table. */
export async function cat(
  qvd: QvdTable,
  print: Print,
  { format, columns, limit }: CatOptions,
): Promise<void> {
  await qvd.verify();
  const header = formatHeader(columns ?? qvd.columns.map(({ name }) => name), format);
  if (header !== '') await print(header);
  for await (const block of qvd.blocks({ columns, reuse: true })) {
    if (block.firstRow >= limit) break;
    await print(formatBlock(block, format, limit - block.firstRow));
  }
}
