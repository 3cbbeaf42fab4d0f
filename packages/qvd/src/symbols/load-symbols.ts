import { QvdFormatError } from '../errors.ts';
import type { FieldHeader } from '../header/header.ts';
import type { QvdLimits } from '../limits.ts';
import { type ByteSource, readFully } from '../sources/byte-source.ts';
import { SymbolScanner } from './symbol-scanner.ts';
import type { QvdSymbols } from './symbols.ts';

/** Symbols are scanned piece by piece while later pieces are read, so a damaged table is refused early. */
const PIECE = 4 * 2 ** 20;

/** Reads and checks the symbol table of one column. */
export async function loadSymbols(
  source: ByteSource,
  field: FieldHeader,
  limits: QvdLimits,
  signal?: AbortSignal,
): Promise<QvdSymbols> {
  refuseBeyondBudget([field], limits);
  const bytes = new Uint8Array(field.symbolBytes);
  const scanner = new SymbolScanner(field, bytes, limits);
  const readPiece = (from: number): Promise<void> =>
    readFully(source, field.symbolsAt + from, bytes.subarray(from, from + PIECE));
  let next = readPiece(0);
  for (let from = 0; from < bytes.length; from += PIECE) {
    signal?.throwIfAborted();
    await next;
    next = readPiece(Math.min(bytes.length, from + PIECE));
    // A failed scan never awaits this read; its failure must not count as unhandled.
    next.catch(() => {});
    scanner.scan(Math.min(bytes.length, from + PIECE));
  }
  return scanner.finish();
}

/** Refuses columns whose symbols, bytes and positions, need more memory than the limit; known from the header alone. */
export function refuseBeyondBudget(fields: readonly FieldHeader[], limits: QvdLimits): void {
  // Positions inside a table are 32 bits wide, which bounds any limit of the caller.
  const maxBytes = Math.min(limits.symbolMemory, 2 ** 32 - 1);
  let total = 0;
  for (const { symbolBytes, symbolCount, label, symbolsAt } of fields) {
    total += symbolBytes + symbolCount * Uint32Array.BYTES_PER_ELEMENT;
    if (total > maxBytes) {
      const message = `The values of the chosen columns need more than ${maxBytes} bytes of memory.`;
      throw new QvdFormatError('LIMIT_MEMORY', message, { field: label, offset: symbolsAt });
    }
  }
}
