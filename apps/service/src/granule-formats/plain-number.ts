const [ZERO, DOT, MINUS] = [0x30, 0x2e, 0x2d];
/** So many digits survive a float64 unchanged. */
const MOST_DIGITS = 15;
/** With more of them JavaScript writes an exponent. */
const MOST_LEADING_ZEROS = 5;

/**
 * Reads a number of JSON that JavaScript would write with the very same characters, such as -12.5; NaN for any other, such
 * as 1e3 or 1.50. A whole number divided by a power of ten is exact to the last bit with so few digits.
 */
export function plainNumber(bytes: Uint8Array, from: number, to: number): number {
  const isNegative = bytes[from] === MINUS;
  const start = isNegative ? from + 1 : from;
  let whole = 0;
  let scale = 1;
  let digits = 0;
  let dot = -1;
  for (let at = start; at < to; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit >= 0 && digit <= 9) {
      whole = whole * 10 + digit;
      digits += 1;
      if (dot >= 0) scale *= 10;
    } else if (bytes[at] === DOT && dot < 0) dot = at;
    else return Number.NaN;
  }
  const isSame =
    digits <= MOST_DIGITS &&
    (dot < 0 ? whole !== 0 || !isNegative : bytes[to - 1] !== ZERO) &&
    (bytes[start] !== ZERO || dot < 0 || whole * 10 ** (MOST_LEADING_ZEROS + 1) >= scale);
  if (!isSame) return Number.NaN;
  return isNegative ? -whole / scale : whole / scale;
}
