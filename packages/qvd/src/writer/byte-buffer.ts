const encoder = new TextEncoder();
const FIRST = 1024;
const SHORT = 32;

/** A growable byte buffer. */
export class ByteBuffer {
  #bytes = new Uint8Array(FIRST);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The bytes it has allocated. */
  get capacity(): number {
    return this.#bytes.length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  int32(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value, true);
    this.#length += 4;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  /** Appends a text in UTF-8, terminated by 0x00. A lone surrogate becomes U+FFFD. */
  textAndEnd(value: string): void {
    this.#reserve(value.length * 3 + 1);
    const start = this.#length;
    // Most texts are short ASCII, for which calling the encoder is slower than this loop.
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code === 0) throw new RangeError('A text with the character U+0000 can not be written to a QVD.');
      if (code >= 0x80 || index >= SHORT) {
        this.#encode(value, start);
        return;
      }
      this.#bytes[this.#length++] = code;
    }
    this.#bytes[this.#length++] = 0;
  }

  #encode(value: string, start: number): void {
    if (value.includes('\0'))
      throw new RangeError('A text with the character U+0000 can not be written to a QVD.');
    this.#length = start + encoder.encodeInto(value, this.#bytes.subarray(start)).written;
    this.#bytes[this.#length++] = 0;
  }

  /** Forgets what was appended after this length. */
  truncate(length: number): void {
    this.#length = length;
  }

  /** A hash of the bytes from here to the end, at least one. */
  hash(from: number, seed: number): number {
    const view = this.#view;
    const end = this.#length;
    let hash = seed;
    let at = from;
    for (; at + 4 <= end; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), 0x9e3779b1);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) hash = Math.imul(hash ^ view.getUint8(at), 0x01000193);
    hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
    return hash ^ (hash >>> 13);
  }

  /** Whether the bytes from `first` to `firstEnd` are those from `second` to the end. */
  isSame(first: number, firstEnd: number, second: number): boolean {
    if (firstEnd - first !== this.#length - second) return false;
    const bytes = this.#bytes;
    for (let at = first, other = second; at < firstEnd; at++, other++)
      if (bytes[at] !== bytes[other]) return false;
    return true;
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    larger.set(this.bytes());
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }
}
