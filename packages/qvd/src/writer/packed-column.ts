import type { SymbolTable } from './symbol-table.ts';

/** A column ready to be written: the bytes of its symbols, and each row's symbol number. */
export interface PackedColumn {
  readonly symbols: Pick<SymbolTable, 'length' | 'bytes'>;
  readonly symbolCount: number;
  readonly hasNulls: boolean;
  readonly rowCount: number;
  /** The number of the row's symbol, -1 for NULL. */
  code(row: number): number;
}
