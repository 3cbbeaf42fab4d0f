import { SHORT, shortAscii } from './short-ascii.ts';

/** The two slices of Node's Buffer that work on any Uint8Array and are far faster than TextDecoder for short texts. */
interface NativeSlices {
  latin1Slice(this: Uint8Array, start: number, end: number): string;
  utf8Slice(this: Uint8Array, start: number, end: number): string;
}

// Reached through globalThis so that the same file runs in the browser.
const native = (globalThis as { Buffer?: { prototype: NativeSlices } }).Buffer?.prototype;
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Text of pure ASCII. */
export function decodeAscii(bytes: Uint8Array, start: number, end: number): string {
  if (end - start <= SHORT) return shortAscii(bytes, start, end - start);
  return native ? native.latin1Slice.call(bytes, start, end) : utf8.decode(bytes.subarray(start, end));
}

/** Text in UTF-8; bytes that are not UTF-8 become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return native ? native.utf8Slice.call(bytes, start, end) : utf8.decode(bytes.subarray(start, end));
}
