/** The position of one column's index in the row. */
interface BitRange {
  readonly offset: number;
  width: number;
  readonly bias: number;
}

export interface BitLayout {
  readonly ranges: readonly BitRange[];
  readonly recordBytes: number;
}

/** Lays out the row: as few bits per column as its values need, NULL as 0 with a bias of -2, whole bytes per row. */
export function layOutBits(columns: readonly { symbolCount: number; hasNulls: boolean }[]): BitLayout {
  const widths = columns.map(({ symbolCount, hasNulls }) => bitsFor(symbolCount + (hasNulls ? 2 : 0)));
  const total = widths.reduce((sum, width) => sum + width, 0);
  // Like Qlik, fills the last byte by widening a field, and writes at least one byte per row.
  const missing = total === 0 ? 8 : (8 - (total % 8)) % 8;
  const narrowest = widths.lastIndexOf(Math.min(...widths.filter((width) => width > 0 || total === 0)));
  if (narrowest >= 0) widths[narrowest] = (widths[narrowest] ?? 0) + missing;
  let offset = 0;
  const ranges = columns.map(({ hasNulls }, index) => {
    const width = widths[index] ?? 0;
    const range = { offset: width === 0 ? 0 : offset, width, bias: hasNulls ? -2 : 0 };
    offset += width;
    return range;
  });
  return { ranges, recordBytes: offset / 8 };
}

/** The number of bits to distinguish `count` values. */
function bitsFor(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}
