/** Where one column's index sits in the row. */
export interface BitPlace {
  readonly offset: number;
  width: number;
  readonly bias: number;
}

export interface BitLayout {
  readonly places: readonly BitPlace[];
  readonly recordBytes: number;
}

/** As few bits as the values need, NULL as raw 0 behind a bias of -2, and rows of whole bytes. */
export function layOutBits(columns: readonly { symbolCount: number; hasNulls: boolean }[]): BitLayout {
  const widths = columns.map(({ symbolCount, hasNulls }) => bitsFor(symbolCount + (hasNulls ? 2 : 0)));
  const total = widths.reduce((sum, width) => sum + width, 0);
  // Qlik fills the last byte by widening a field and never writes rows without bytes.
  const missing = total === 0 ? 8 : (8 - (total % 8)) % 8;
  const narrowest = widths.lastIndexOf(Math.min(...widths.filter((width) => width > 0 || total === 0)));
  if (narrowest >= 0) widths[narrowest] = (widths[narrowest] ?? 0) + missing;
  let offset = 0;
  const places = columns.map(({ hasNulls }, index) => {
    const width = widths[index] ?? 0;
    const place = { offset: width === 0 ? 0 : offset, width, bias: hasNulls ? -2 : 0 };
    offset += width;
    return place;
  });
  return { places, recordBytes: offset / 8 };
}

/** Bits to tell `count` things apart. */
function bitsFor(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}
