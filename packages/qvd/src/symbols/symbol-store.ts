import type { FieldHeader } from '../header/header.ts';
import type { QvdLimits } from '../limits.ts';
import type { ByteSource } from '../sources/byte-source.ts';
import { loadSymbols, refuseBeyondBudget } from './load-symbols.ts';
import type { QvdSymbols } from './symbols.ts';

/** Tables read while opening stay in memory up to this total, so that small files are read only once. */
const KEEP = 64 * 2 ** 20;

/** The symbol tables of one file: each is checked when the file is opened, and kept in memory while it is chosen. */
export class SymbolStore {
  readonly #source: ByteSource;
  readonly #limits: QvdLimits;
  readonly #kept = new Map<FieldHeader, QvdSymbols>();
  #keptBytes = 0;

  constructor(source: ByteSource, limits: QvdLimits) {
    this.#source = source;
    this.#limits = limits;
  }

  /** Reads the table, passes it to `inspect`, and keeps it while memory allows. */
  async inspect<T>(
    field: FieldHeader,
    inspect: (symbols: QvdSymbols) => T,
    signal?: AbortSignal,
  ): Promise<T> {
    const symbols = await loadSymbols(this.#source, field, this.#limits, signal);
    const finding = inspect(symbols);
    if (this.#keptBytes + symbols.byteLength <= KEEP) {
      this.#kept.set(field, symbols);
      this.#keptBytes += symbols.byteLength;
    } else {
      symbols.release();
    }
    return finding;
  }

  /** Returns the tables of the chosen columns and releases all others. */
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
