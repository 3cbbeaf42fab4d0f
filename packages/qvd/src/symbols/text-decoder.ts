import { SHORT, shortAscii } from './short-ascii.ts';

/** Two methods of Node's Buffer that accept any Uint8Array and are much faster than TextDecoder for short texts. */
interface NativeSlices {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
}

// Accessed through globalThis, so that the same file runs in the browser.
const native = (globalThis as { Buffer?: { prototype: NativeSlices } }).Buffer?.prototype;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes ASCII text. */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT) return shortAscii(bytes, start, end - start);
  return native ? native.latin1Slice.call(bytes, start, end) : utf8.decode(bytes.subarray(start, end));
}

/** Decodes UTF-8 text; invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return native ? native.utf8Slice.call(bytes, start, end) : utf8.decode(bytes.subarray(start, end));
}
