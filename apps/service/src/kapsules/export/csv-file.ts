import { columnsOf, deletionColumns, fieldNames, watermarkColumn } from './columns.ts';
import { type CsvReader, cell } from './csv-cell.ts';
import type { TableFile, TableKapsule } from './table-file.ts';
import { rowsOf } from './table-rows.ts';

const BYTE_ORDER_MARK = '\ufeff';
const LINE_END = '\r\n';
const encoder = new TextEncoder();

interface CsvOptions {
  kapsule: TableKapsule;
  deletions?: boolean;
  reader: CsvReader;
  /** The value of an additional column in the last row, for programs that can't read headers: a truncated answer has none. */
  watermark?: string | undefined;
}

/** RFC 4180. For people it begins with a byte order mark, by which spreadsheets recognise UTF-8. */
export class CsvFile implements TableFile {
  readonly memory = 0;
  readonly #fields: readonly string[];
  readonly #deletions: boolean;
  readonly #reader: CsvReader;
  /** Follows each row but the last. */
  readonly #rowEnd: string;
  readonly #lastRowEnd: string;
  /** Precedes the next row: the head, or the end of the row before. */
  #before: string;
  #hasRows = false;

  constructor({ kapsule, deletions = false, reader, watermark }: CsvOptions) {
    this.#fields = fieldNames(kapsule);
    this.#deletions = deletions;
    this.#reader = reader;
    const columns = columnsOf(kapsule);
    if (deletions) columns.push(...deletionColumns(kapsule));
    if (watermark !== undefined) columns.push(watermarkColumn(kapsule));
    this.#rowEnd = (watermark === undefined ? '' : ',') + LINE_END;
    this.#lastRowEnd = (watermark === undefined ? '' : `,${cell(watermark, reader)}`) + LINE_END;
    const head = this.#row(columns.map(({ name }) => name));
    this.#before = (reader === 'person' ? BYTE_ORDER_MARK : '') + head + LINE_END;
  }

  #row(values: readonly unknown[]): string {
    let text = cell(values[0], this.#reader);
    for (let column = 1; column < values.length; column++) text += `,${cell(values[column], this.#reader)}`;
    return text;
  }

  add(lines: Uint8Array): Uint8Array<ArrayBuffer> {
    let text = '';
    for (const row of rowsOf(lines, this.#fields, this.#deletions)) {
      text += this.#before + this.#row(row);
      this.#before = this.#rowEnd;
      this.#hasRows = true;
    }
    return encoder.encode(text);
  }

  *rest(): Generator<Uint8Array<ArrayBuffer>> {
    yield encoder.encode(this.#hasRows ? this.#lastRowEnd : this.#before);
  }
}
