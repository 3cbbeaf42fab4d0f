import * as fc from 'fast-check';

/**
 * Any character but half a surrogate pair, as the unit `binary` of fast-check has them, and those below U+0100 more often. For
 * that unit fast-check makes a table of all 1.1 million characters in each process, which takes a second.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .oneof(fc.nat(0xff), fc.nat(0xd7ff), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
