import type { ExportFormat } from '@kaptain/contract';
import type { KapsuleRecord } from '@kaptain/store';
import { type CsvReader, csv } from './csv.ts';
import { jsonArray } from './json-array.ts';
import { qvdFile } from './qvd-file.ts';
import type { Lines } from './wire-granule.ts';

interface Formatted {
  chunks: AsyncIterable<string | Uint8Array>;
  contentType: string;
}

/** The granules of a kapsule as a file of any format we know. */
export function formatted(
  format: ExportFormat,
  lines: Lines,
  kapsule: KapsuleRecord,
  reader: CsvReader,
): Formatted {
  switch (format) {
    case 'json':
      return { chunks: jsonArray(lines), contentType: 'application/json; charset=utf-8' };
    case 'ndjson':
      return { chunks: lines, contentType: 'application/x-ndjson; charset=utf-8' };
    case 'csv':
      return { chunks: csv(lines, kapsule, reader), contentType: 'text/csv; charset=utf-8' };
    case 'qvd':
      return { chunks: qvdFile(lines, kapsule), contentType: 'application/octet-stream' };
  }
}
