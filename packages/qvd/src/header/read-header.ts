import { QvdFormatError } from '../errors.ts';
import type { QvdLimits } from '../limits.ts';
import { type ByteSource, readFully } from '../sources/byte-source.ts';
import { refuseForeignFile } from './foreign-files.ts';

const FIRST_READ = 64 * 1024;

/** Reads the header: all bytes before the first 0x00 of the file. Each byte is searched once. */
export async function readHeaderBytes(source: ByteSource, limits: QvdLimits): Promise<Uint8Array> {
  // One byte more than the limit, so that a header of exactly the limit finds its 0x00.
  const maxBytes = Math.min(source.size, limits.headerBytes + 1);
  let bytes = new Uint8Array(Math.min(maxBytes, FIRST_READ));
  let have = 0;
  for (;;) {
    await readFully(source, have, bytes.subarray(have));
    if (have === 0) refuseForeignFile(bytes);
    const end = bytes.indexOf(0, have);
    if (end >= 0) return bytes.subarray(0, end);
    have = bytes.length;
    if (have === maxBytes) throw unterminated(source, limits, have);
    const larger = new Uint8Array(Math.min(maxBytes, have * 4));
    larger.set(bytes);
    bytes = larger;
  }
}

function unterminated(source: ByteSource, limits: QvdLimits, offset: number): QvdFormatError {
  if (source.size > limits.headerBytes) {
    const message = `The header is larger than ${limits.headerBytes} bytes.`;
    return new QvdFormatError('HEADER_TOO_LARGE', message, { offset });
  }
  return new QvdFormatError('HEADER_TRUNCATED', 'The file ends inside its header.', { offset });
}
