import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { unpack } from './bit-loops.ts';

/** The reference implementation, bit by bit and with big integers. */
function naive(bytes: Uint8Array, bitOffset: number, width: number, bias: number): number {
  let raw = 0n;
  for (let bit = 0; bit < width; bit++) {
    const at = bitOffset + bit;
    raw |= BigInt(((bytes[at >> 3] ?? 0) >> (at & 7)) & 1) << BigInt(bit);
  }
  return Number(raw) + bias;
}

test('every width at every bit offset equals the reference', () => {
  fc.assert(
    fc.property(
      fc.record({
        width: fc.integer({ min: 0, max: 32 }),
        bitOffset: fc.nat(40),
        bias: fc.integer({ min: -3, max: 2 }),
      }),
      fc.array(fc.uint8Array({ minLength: 9, maxLength: 9 }), { minLength: 1, maxLength: 20 }),
      fc.integer({ min: 1, max: 2 ** 30 }),
      ({ width, bitOffset, bias }, rows, symbolCount) => {
        const padded = new Uint8Array(rows.length * 9 + 8);
        for (const [index, row] of rows.entries()) padded.set(row, index * 9);
        const out = new Int32Array(rows.length);
        const mask = width === 32 ? -1 : 2 ** width - 1;
        const column = { byte: bitOffset >> 3, shift: bitOffset & 7, width, mask, bias, symbolCount };
        const { nulls, suspect } = unpack(column, new DataView(padded.buffer), 9, out);
        const expected = rows.map((row) => naive(row, bitOffset, width, bias));
        expect(suspect).toBe(expected.findIndex((index) => index >= symbolCount));
        expect(nulls).toBe(expected.filter((index) => index < 0).length);
        expect([...out]).toEqual(expected.map((index) => (index < 0 ? -1 : Math.min(index, 2 ** 31 - 1))));
      },
    ),
    { numRuns: 2000 },
  );
});
