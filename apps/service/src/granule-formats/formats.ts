import { type ExportFormat, exportTypes } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { csv } from './csv.ts';
import type { CsvReader } from './csv-cell.ts';
import { jsonArray } from './json-array.ts';
import type { Lines } from './lines.ts';
import { qvdFile } from './qvd-file.ts';

type Chunks = AsyncIterable<string | Uint8Array>;

function chunksOf(format: ExportFormat, lines: Lines, kapsule: KapsuleRecord, reader: CsvReader): Chunks {
  switch (format) {
    case 'json':
      return jsonArray(lines);
    case 'ndjson':
      return lines;
    case 'csv':
      return csv(lines, kapsule, reader);
    case 'qvd':
      return qvdFile(lines, kapsule);
  }
}

/** Rows of a table, instead of whole granules. */
export const isTable = (format: ExportFormat): boolean => format === 'csv' || format === 'qvd';

/** The granules of a kapsule as a file of the given format. */
export const formatted = (
  format: ExportFormat,
  lines: Lines,
  kapsule: KapsuleRecord,
  reader: CsvReader,
): { chunks: Chunks; contentType: string } => ({
  chunks: chunksOf(format, lines, kapsule, reader),
  contentType: exportTypes[format],
});
