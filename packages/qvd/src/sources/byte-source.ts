import { QvdFormatError } from '../errors.ts';

/** Random access to the bytes of one file; positions are plain numbers, so files beyond 2 GiB work. */
export interface ByteSource {
  readonly size: number;
  /** Fills `target` from `position` up to the end of the file; returns the number of bytes. */
  read(position: number, target: Uint8Array): Promise<number>;
  /** Differs when the file was written, extended or truncated. */
  stamp(): Promise<string>;
  close(): Promise<void>;
}

/** Fills all of `target`; extents were checked before, so missing bytes mean that the file has changed. */
export async function readFully(source: ByteSource, position: number, target: Uint8Array): Promise<void> {
  let done = 0;
  while (done < target.length) {
    const count = await source.read(position + done, done === 0 ? target : target.subarray(done));
    if (count === 0) throw fileChanged(position + done);
    done += count;
  }
}

export function fileChanged(offset?: number): QvdFormatError {
  return new QvdFormatError('FILE_CHANGED', 'The file changed while it was being read.', { offset });
}
