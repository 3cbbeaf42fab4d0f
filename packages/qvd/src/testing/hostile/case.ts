import type { OpenOptions, QvdErrorCode, QvdTable, QvdWarning } from '../../index.ts';
import type { ByteSource } from '../../sources/byte-source.ts';

/** A crafted input: its class of irregularity, and what the reader must do with it. */
export interface HostileCase {
  /** Number of the class; the README lists them. */
  readonly class: number;
  readonly name: string;
  readonly input: () => Uint8Array<ArrayBuffer> | ByteSource;
  readonly refuse?: QvdErrorCode;
  /** The file is read, with this warning. */
  readonly warn?: QvdWarning['code'];
  readonly options?: OpenOptions;
  /** A condition on the table that was read. */
  readonly holds?: (qvd: QvdTable, rows: readonly (readonly unknown[])[]) => boolean;
}

/** A file too large to build: its bytes are generated on demand. */
export function generatedSource(size: number, start: Uint8Array, fill: number): ByteSource {
  return {
    size,
    async read(position, target) {
      const count = Math.max(0, Math.min(target.length, size - position));
      target.fill(fill, 0, count);
      if (position < start.length) target.set(start.subarray(position, position + count));
      return count;
    },
    stamp: async () => String(size),
    close: async () => {},
  };
}

export const ascii = (value: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(value);
