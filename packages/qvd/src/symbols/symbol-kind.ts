/** The type byte before every symbol. Bit 1: an int32 follows, bit 2: a float64, bit 4: a text terminated by 0x00. */
export const INT = 1;
export const DOUBLE = 2;
export const TEXT = 4;
export const DUAL_INT = 5;
export const DUAL_DOUBLE = 6;

/** Bytes from the type byte to the text (or to the end, when there is none); 0 for a type that does not exist. */
export const HEAD_BYTES: Uint8Array = Uint8Array.of(0, 5, 9, 0, 1, 5, 9, 0);
