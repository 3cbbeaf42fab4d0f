import { MalformedError } from './malformed.ts';
import { type PartHead, partHead } from './part-head.ts';

const HEADERS_END = Buffer.from('\r\n\r\n');
const HEADER_BYTES = 8192;
/** Spaces that may follow a delimiter in its line (RFC 2046, 5.1.1). */
const PADDING_BYTES = 64;

/**
 * Reads multipart/form-data on demand: the caller asks for the next part or the next bytes, and every error is thrown
 * there. It has no stream of its own that could stay open or fail without a listener.
 */
export class MultipartReader {
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #delimiter: Buffer;
  /** Starts with a line end, because the first delimiter may be the first line of the body. */
  #buffer: Buffer = Buffer.from('\r\n');
  /** The preamble is read like the content of a part. */
  #isInContent = true;

  constructor(chunks: AsyncIterator<Buffer>, boundary: string) {
    this.#chunks = chunks;
    this.#delimiter = Buffer.from(`\r\n--${boundary}`);
  }

  /** Skips the rest of the current part and reads the headers of the next one; undefined after the last part. */
  async nextPart(): Promise<PartHead | undefined> {
    while (await this.read());
    await this.#need(2);
    if (this.#buffer.toString('latin1', 0, 2) === '--') {
      await this.#skipEpilogue();
      return undefined;
    }
    const lineEnd = await this.#find('\r\n', PADDING_BYTES);
    if (this.#buffer.subarray(0, lineEnd).some((byte) => byte !== 0x20 && byte !== 0x09))
      throw new MalformedError('A delimiter is followed by other text.');
    this.#take(lineEnd);
    // The search starts at the line end of the delimiter, so that it also finds the end of an empty header block.
    const headersEnd = await this.#find(HEADERS_END, HEADER_BYTES);
    const headers = this.#take(headersEnd).toString('utf8', 2);
    this.#take(HEADERS_END.length);
    this.#isInContent = true;
    return partHead(headers);
  }

  /** The next bytes of the current part; undefined after its last. */
  async read(): Promise<Buffer | undefined> {
    while (this.#isInContent) {
      const at = this.#buffer.indexOf(this.#delimiter);
      if (at > 0) return this.#take(at);
      if (at === 0) {
        this.#take(this.#delimiter.length);
        this.#isInContent = false;
        return undefined;
      }
      // The last bytes may be the beginning of a delimiter.
      const certain = this.#buffer.length - this.#delimiter.length + 1;
      if (certain > 0) return this.#take(certain);
      await this.#fill();
    }
    return undefined;
  }

  #take(count: number): Buffer {
    const taken = this.#buffer.subarray(0, count);
    this.#buffer = this.#buffer.subarray(count);
    return taken;
  }

  async #fill(): Promise<void> {
    const { value, done } = await this.#chunks.next();
    if (done) throw new MalformedError('The body ends before its closing delimiter.');
    this.#buffer = this.#buffer.length === 0 ? value : Buffer.concat([this.#buffer, value]);
  }

  async #need(count: number): Promise<void> {
    while (this.#buffer.length < count) await this.#fill();
  }

  /** The index of the text, which must start within the first `limit` bytes. */
  async #find(text: string | Buffer, limit: number): Promise<number> {
    for (;;) {
      const at = this.#buffer.subarray(0, limit).indexOf(text);
      if (at >= 0) return at;
      if (this.#buffer.length >= limit) throw new MalformedError('A line or a header is too long.');
      await this.#fill();
    }
  }

  /** Reads the rest of the body: only then is the request complete. */
  async #skipEpilogue(): Promise<void> {
    while (!(await this.#chunks.next()).done);
  }
}
