import { type ExportFormat, exportTypes } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import type { CsvReader } from './csv-cell.ts';
import { jsonArray } from './json-array.ts';
import type { Lines } from './lines.ts';
import { table } from './table.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

interface FileOptions {
  kapsule: KapsuleRecord;
  reader: CsvReader;
  /** Whether the lines have deleted granules too. */
  deletions?: boolean;
  /** Written into the last row of a CSV file. */
  watermark?: string | undefined;
  /** Aborts when the client disconnects. */
  gone: AbortSignal;
}

function chunksOf(format: ExportFormat, lines: Lines, options: FileOptions): Chunks {
  const { name, keyField, fields } = options.kapsule;
  const kapsule = { name, keyField, fields };
  const { reader, deletions = false, watermark, gone } = options;
  switch (format) {
    case 'json':
      return jsonArray(lines);
    case 'ndjson':
      return lines;
    case 'csv':
      return table(lines, { format, kapsule, deletions, reader, watermark }, gone);
    case 'qvd':
      return table(lines, { format, kapsule, deletions }, gone);
  }
}

/** Rows of a table, instead of whole granules. */
export const isTable = (format: ExportFormat): boolean => format === 'csv' || format === 'qvd';

/** The granules of a kapsule as a file of the given format. */
export const formatted = (
  format: ExportFormat,
  lines: Lines,
  options: FileOptions,
): { chunks: Chunks; contentType: string } => ({
  chunks: chunksOf(format, lines, options),
  contentType: exportTypes[format],
});
