const encoder = new TextEncoder();
const FIRST = 1024;

/** Bytes that grow at the end. */
export class ByteBuffer {
  #bytes = new Uint8Array(FIRST);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  get length(): number {
    return this.#length;
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

  /** UTF-8; half a surrogate pair can't be written and becomes U+FFFD. */
  text(value: string): void {
    this.#reserve(value.length * 3);
    this.#length += encoder.encodeInto(value, this.#bytes.subarray(this.#length)).written;
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
