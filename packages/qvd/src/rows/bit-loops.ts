/**
 * The innermost loops: extract one column's index from many rows. There is one loop per number of bytes that an index
 * spans, so that the JIT compiler specializes each.
 */
export interface BitColumn {
  /** Byte of the row in which the index starts, and the bit within it. */
  readonly byte: number;
  readonly shift: number;
  readonly width: number;
  readonly mask: number;
  readonly bias: number;
  readonly symbolCount: number;
}

interface Unpacked {
  nulls: number;
  /** The first row whose index is at or beyond the symbol count, or -1; the caller checks it. */
  suspect: number;
}

/** `rows` must be followed by at least four readable bytes, because loads are always 32 bits wide. */
export function unpack(column: BitColumn, rows: DataView, recordBytes: number, out: Int32Array): Unpacked {
  const { shift, width, bias } = column;
  if (width === 0) return constant(column, out);
  if (width === 32 || bias > 0) return wide(column, rows, recordBytes, out);
  return shift + width <= 32
    ? oneLoad(column, rows, recordBytes, out)
    : twoLoads(column, rows, recordBytes, out);
}

function oneLoad(
  { byte, shift, mask, bias, symbolCount }: BitColumn,
  rows: DataView,
  step: number,
  out: Int32Array,
) {
  let nulls = 0;
  let suspect = -1;
  for (let row = out.length - 1, at = row * step + byte; row >= 0; row--, at -= step) {
    const index = ((rows.getUint32(at, true) >>> shift) & mask) + bias;
    // A negative index is NULL: the sign bit yields -1, and 1 for the count, without a branch.
    out[row] = index | (index >> 31);
    nulls += index >>> 31;
    if (index >= symbolCount) suspect = row;
  }
  return { nulls, suspect };
}

function twoLoads(
  { byte, shift, mask, bias, symbolCount }: BitColumn,
  rows: DataView,
  step: number,
  out: Int32Array,
) {
  let nulls = 0;
  let suspect = -1;
  for (let row = out.length - 1, at = row * step + byte; row >= 0; row--, at -= step) {
    const low = rows.getUint32(at, true) >>> shift;
    const index = ((low | (rows.getUint8(at + 4) << (32 - shift))) & mask) + bias;
    out[row] = index | (index >> 31);
    nulls += index >>> 31;
    if (index >= symbolCount) suspect = row;
  }
  return { nulls, suspect };
}

/** Indexes that may exceed a 31-bit integer (32 bits wide, or with a positive bias) are rare and use doubles. */
function wide(
  { byte, shift, mask, bias, symbolCount }: BitColumn,
  rows: DataView,
  step: number,
  out: Int32Array,
) {
  let nulls = 0;
  let suspect = -1;
  for (let row = out.length - 1, at = row * step + byte; row >= 0; row--, at -= step) {
    const high = shift === 0 ? 0 : rows.getUint8(at + 4) << (32 - shift);
    const index = ((((rows.getUint32(at, true) >>> shift) | high) & mask) >>> 0) + bias;
    out[row] = index < 0 ? -1 : Math.min(index, 0x7fffffff);
    if (index < 0) nulls++;
    if (index >= symbolCount) suspect = row;
  }
  return { nulls, suspect };
}

function constant({ bias, symbolCount }: BitColumn, out: Int32Array): Unpacked {
  out.fill(bias < 0 ? -1 : bias);
  return { nulls: bias < 0 ? out.length : 0, suspect: bias >= symbolCount && out.length > 0 ? 0 : -1 };
}
