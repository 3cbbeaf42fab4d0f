import type { KapsuleRecord } from '@kaptain/store';
import { columnsOf, fieldNames, watermarkColumn } from './columns.ts';
import { CsvBytes } from './csv-bytes.ts';
import { type CsvReader, cell } from './csv-cell.ts';
import { JsonLines } from './json-lines.ts';
import type { Lines } from './lines.ts';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';

/** So much is moved at once. */
const MOVED_BYTES = 32 * 1024;
const encoder = new TextEncoder();

type Chunks = AsyncGenerator<string | Uint8Array>;

const rowOf = (values: readonly string[], reader: CsvReader): string =>
  values.map((value) => cell(value, reader)).join(',');

/** RFC 4180, with the byte order mark by which spreadsheets recognise UTF-8. */
export function csv(lines: Lines, kapsule: KapsuleRecord, reader: CsvReader): Chunks {
  const names = columnsOf(kapsule).map(({ name }) => name);
  const head = (reader === 'person' ? BYTE_ORDER_MARK : '') + rowOf(names, reader);
  return rows(lines, kapsule, reader, { head, between: '', last: '' });
}

/** For a program that can't read headers: the last row has the watermark, so a truncated answer has none. */
export function csvWithWatermark(lines: Lines, kapsule: KapsuleRecord, watermark: string): Chunks {
  const names = [...columnsOf(kapsule), watermarkColumn(kapsule)].map(({ name }) => name);
  const last = `,${cell(watermark, 'program')}`;
  return rows(lines, kapsule, 'program', { head: rowOf(names, 'program'), between: ',', last });
}

interface Frame {
  head: string;
  /** Behind each row but the last. */
  between: string;
  /** Behind the last row. */
  last: string;
}

/**
 * The head comes with the first rows: what fails before them is answered as an error. Rows are written over the lines that
 * they were made of, for a row is shorter than its line: new memory for each chunk would keep the garbage collector busy.
 */
async function* rows(
  lines: Lines,
  kapsule: KapsuleRecord,
  reader: CsvReader,
  { head, between, last }: Frame,
): Chunks {
  const scanner = new JsonLines(fieldNames(kapsule));
  const bytes = new CsvBytes(scanner, reader);
  const rowEnd = encoder.encode(between + LINE_END);
  let start = encoder.encode(head + LINE_END);
  let hasRows = false;
  for await (const chunk of lines) {
    scanner.chunk = chunk;
    let written = 0;
    for (let at = 0; at < chunk.length; start = rowEnd) {
      bytes.append(start);
      const next = scanner.scan(at);
      bytes.row(next - at);
      at = next;
      hasRows = true;
      const end = written + bytes.length;
      if (end > at || (bytes.length < MOVED_BYTES && at < chunk.length)) continue;
      bytes.moveTo(chunk, written);
      written = end;
    }
    if (written > 0) yield chunk.subarray(0, written);
    if (bytes.length > 0) yield bytes.taken();
  }
  yield hasRows ? last + LINE_END : start;
}
