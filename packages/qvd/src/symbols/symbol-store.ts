import type { FieldHeader } from '../header/header.ts';
import type { QvdLimits } from '../limits.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { loadSymbols, refuseBeyondBudget } from './load-symbols.ts';
import type { QvdSymbols } from './symbols.ts';

/** Tables seen while opening stay in memory up to here, so that small files are read only once. */
const KEEP = 64 * 2 ** 20;

/** The symbol tables of one file: each is checked when the file is opened, and held only while it is chosen. */
export class SymbolStore {
  readonly #source: ByteSource;
  readonly #limits: QvdLimits;
  readonly #kept = new Map<FieldHeader, QvdSymbols>();
  #keptBytes = 0;

  constructor(source: ByteSource, limits: QvdLimits) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Reads the table, lets `look` learn about the column, and keeps it when there is room. */
  async inspect<T>(field: FieldHeader, look: (symbols: QvdSymbols) => T, signal?: AbortSignal): Promise<T> {
    const symbols = await loadSymbols(this.#source, field, this.#limits, signal);
    const finding = look(symbols);
    if (this.#keptBytes + symbols.byteLength <= KEEP) {
      this.#kept.set(field, symbols);
      this.#keptBytes += symbols.byteLength;
    } else {
      symbols.release();
    }
    return finding;
  }

  /** The tables of the chosen columns; all others are let go. */
  async choose(fields: readonly FieldHeader[], signal?: AbortSignal): Promise<QvdSymbols[]> {
    refuseBeyondBudget(fields, this.#limits);
    const chosen = new Set(fields);
    for (const [field, { byteLength }] of this.#kept) {
      if (chosen.has(field)) continue;
      this.#kept.delete(field);
      this.#keptBytes -= byteLength;
    }
    const tables: QvdSymbols[] = [];
    for (const field of fields) {
      tables.push(this.#kept.get(field) ?? (await loadSymbols(this.#source, field, this.#limits, signal)));
    }
    return tables;
  }
}
