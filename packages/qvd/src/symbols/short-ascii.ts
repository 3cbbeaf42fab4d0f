/** Up to this length, building the text from char codes is faster than a native call. */
export const SHORT = 24;

// Every index is within bounds, which the compiler can't prove.
const char = String.fromCharCode as (...codes: (number | undefined)[]) => string;

/** Decodes an ASCII text of at most `SHORT` bytes; unrolled, because a loop would concatenate strings. */
export function shortAscii(b: Uint8Array, p: number, length: number): string {
  // biome-ignore format: one line per length shows the pattern
  switch (length) {
    case 0: return '';
    case 1: return char(b[p]);
    case 2: return char(b[p], b[p+1]);
    case 3: return char(b[p], b[p+1], b[p+2]);
    case 4: return char(b[p], b[p+1], b[p+2], b[p+3]);
    case 5: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4]);
    case 6: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5]);
    case 7: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6]);
    case 8: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7]);
    case 9: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8]);
    case 10: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9]);
    case 11: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10]);
    case 12: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11]);
    case 13: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12]);
    case 14: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13]);
    case 15: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14]);
    case 16: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15]);
    case 17: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16]);
    case 18: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17]);
    case 19: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17], b[p+18]);
    case 20: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17], b[p+18], b[p+19]);
    case 21: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17], b[p+18], b[p+19], b[p+20]);
    case 22: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21]);
    case 23: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22]);
    case 24: return char(b[p], b[p+1], b[p+2], b[p+3], b[p+4], b[p+5], b[p+6], b[p+7], b[p+8], b[p+9], b[p+10], b[p+11], b[p+12], b[p+13], b[p+14], b[p+15], b[p+16], b[p+17], b[p+18], b[p+19], b[p+20], b[p+21], b[p+22], b[p+23]);
    default: throw new RangeError(`A text of ${length} bytes is not short.`);
  }
}
