import { type MutableColumn, noteRowFacts, type QvdColumn } from './columns.ts';
import { QvdFormatError, type QvdWarning } from './errors.ts';
import type { QvdHeader } from './header/header.ts';
import { displayName } from './header/header-text.ts';
import { type BlockOptions, type CodeBlock, codeBlocks } from './rows/code-blocks.ts';
import { ColumnReader } from './rows/column-reader.ts';
import { type ByteSource, fileChanged } from './sources/byte-source.ts';
import type { SymbolStore } from './symbols/symbol-store.ts';
import type { QvdSymbols, QvdValue } from './symbols/symbols.ts';

export interface ReadOptions extends BlockOptions {
  /** The names of the columns to read, in order; all when absent. Other columns are not read. */
  readonly columns?: readonly string[] | undefined;
}

/** One column of a block. Process symbols instead of rows where possible: there are often far fewer. */
export interface QvdVector {
  readonly column: QvdColumn;
  /** The number of each row's symbol, -1 for NULL. */
  readonly codes: Int32Array;
  readonly symbols: QvdSymbols;
}

export interface QvdBlock {
  readonly firstRow: number;
  readonly rowCount: number;
  readonly vectors: readonly QvdVector[];
}

/** The parts of an open file; see `openSource`. */
interface OpenParts {
  readonly source: ByteSource;
  readonly stamp: string;
  readonly header: QvdHeader;
  readonly columns: MutableColumn[];
  readonly warnings: QvdWarning[];
  readonly store: SymbolStore;
  readonly refuseBadIndex: boolean;
}

/** An open QVD file: its metadata, and its rows, which can be read repeatedly. Close it at the end (`await using`). */
export class QvdTable implements AsyncDisposable {
  readonly #parts: OpenParts;

  constructor(parts: OpenParts) {
    this.#parts = parts;
  }

  get tableName(): string {
    return this.#parts.header.tableName;
  }

  get comment(): string {
    return this.#parts.header.comment;
  }

  /** The creation time in the writer's format: `YYYY-MM-DD hh:mm:ss` in UTC. */
  get createdUtc(): string {
    return this.#parts.header.createdUtc;
  }

  /** The writer's build, for information only. */
  get buildNumber(): string {
    return this.#parts.header.buildNumber;
  }

  get rowCount(): number {
    return this.#parts.header.rowCount;
  }

  get columns(): readonly QvdColumn[] {
    return this.#parts.columns;
  }

  get warnings(): readonly QvdWarning[] {
    return this.#parts.warnings;
  }

  /** Rows as vectors of codes and symbols, which is fastest. Memory: the chosen columns' symbols and one block. */
  async *blocks(options: ReadOptions = {}): AsyncGenerator<QvdBlock> {
    const { header, columns, store } = this.#parts;
    const chosen = this.#choose(options.columns);
    const fields = chosen.map((index) => at(header.fields, index));
    const symbols = await store.choose(fields, options.signal);
    for await (const { firstRow, rowCount, codes } of this.codes(options)) {
      const vectors = chosen.map((index, position) => ({
        column: at(columns, index),
        codes: at(codes, position),
        symbols: at(symbols, position),
      }));
      yield { firstRow, rowCount, vectors };
    }
  }

  /** Rows as arrays of values in column order: slower than `blocks`, but simpler to use. */
  async *rows(options: ReadOptions = {}): AsyncGenerator<(QvdValue | null)[]> {
    for await (const block of this.blocks({ ...options, reuse: true })) {
      const values = block.vectors.map(({ symbols, codes }) => symbols.valuesOf(codes));
      for (let row = 0; row < block.rowCount; row++) yield values.map((column) => column[row] ?? null);
    }
  }

  /** Rows as codes, without the symbols. */
  async *codes(options: ReadOptions = {}): AsyncGenerator<CodeBlock> {
    const { source, stamp, header, columns, warnings, refuseBadIndex } = this.#parts;
    const chosen = this.#choose(options.columns);
    const readers = chosen.map((index) => new ColumnReader(at(header.fields, index), header, refuseBadIndex));
    yield* codeBlocks(source, header, readers, options);
    if ((await source.stamp()) !== stamp) throw fileChanged();
    for (const [position, index] of chosen.entries()) {
      noteRowFacts(at(columns, index), at(readers, position).facts, warnings);
    }
  }

  /** Reads all rows once, to find damage before any row is used; afterwards the NULL counts are known. */
  async verify(signal?: AbortSignal): Promise<void> {
    for await (const _ of this.codes({ signal, reuse: true }));
  }

  async close(): Promise<void> {
    await this.#parts.source.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #choose(names: readonly string[] | undefined): number[] {
    const { columns } = this.#parts;
    if (!names) return columns.map((_, index) => index);
    const positions = new Map(columns.map(({ name }, index) => [name, index]));
    return names.map((name) => {
      const index = positions.get(name);
      if (index !== undefined) return index;
      throw new QvdFormatError('COLUMN_UNKNOWN', 'There is no such column.', { field: displayName(name) });
    });
  }
}

function at<T>(list: readonly T[], index: number): T {
  return list[index] as T;
}
