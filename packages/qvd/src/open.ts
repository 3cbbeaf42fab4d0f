import { describeColumn, type MutableColumn } from './columns.ts';
import { QvdFormatError, type QvdWarning } from './errors.ts';
import { checkExtents } from './header/extents.ts';
import { type FieldHeader, parseHeader } from './header/header.ts';
import { readHeaderBytes } from './header/read-header.ts';
import { DEFAULT_LIMITS, type QvdLimits } from './limits.ts';
import type { ByteSource } from './sources/byte-source.ts';
import { SymbolStore } from './symbols/symbol-store.ts';
import type { QvdSymbols } from './symbols/symbols.ts';
import { QvdTable } from './table.ts';

export interface OpenOptions {
  readonly limits?: Partial<QvdLimits>;
  readonly signal?: AbortSignal;
  /** The treatment of an index beyond the symbols: refuse the file (default), or read NULL and warn. */
  readonly badIndex?: 'refuse' | 'null';
  /** The treatment of a text that is not UTF-8: read U+FFFD and warn (default), or refuse the file. */
  readonly badUtf8?: 'replace' | 'refuse';
}

/**
 * Reads the header, checks it against the file, and reads each symbol table once to check it and to determine the
 * columns' types. Closes the source when the file is refused.
 */
export async function openSource(source: ByteSource, options: OpenOptions = {}): Promise<QvdTable> {
  try {
    const limits = { ...DEFAULT_LIMITS, ...options.limits };
    const warnings: QvdWarning[] = [];
    const stamp = await source.stamp();
    const header = parseHeader(await readHeaderBytes(source, limits), limits, warnings);
    checkExtents(header, source.size, limits, warnings);
    const store = new SymbolStore(source, limits);
    const columns: MutableColumn[] = [];
    for (const field of header.fields) {
      const inspect = (symbols: QvdSymbols): MutableColumn => {
        if (options.badUtf8 === 'refuse') refuseBadUtf8(field, symbols);
        return describeColumn(field, symbols, header.rowCount, warnings);
      };
      columns.push(await store.inspect(field, inspect, options.signal));
    }
    const refuseBadIndex = options.badIndex !== 'null';
    return new QvdTable({ source, stamp, header, columns, warnings, store, refuseBadIndex });
  } catch (error) {
    await source.close();
    throw error;
  }
}

function refuseBadUtf8({ label, symbolsAt }: FieldHeader, { invalidTexts }: QvdSymbols): void {
  if (invalidTexts === 0) return;
  const message = `${invalidTexts} texts are not UTF-8.`;
  throw new QvdFormatError('SYMBOL_UTF8', message, { field: label, offset: symbolsAt });
}
