import type { OpenOptions, QvdErrorCode, QvdTable, QvdWarning } from '../../index.ts';
import type { ByteSource } from '../../sources/byte-source.ts';

/** One crafted input: the class of oddity it stands for, and what the reader must do with it. */
export interface HostileCase {
  /** Number of the class; the README lists them. */
  readonly class: number;
  readonly name: string;
  readonly input: () => Uint8Array<ArrayBuffer> | ByteSource;
  readonly refuse?: QvdErrorCode;
  /** The file is fine after all; this warning tells what was odd. */
  readonly warn?: QvdWarning['code'];
  readonly options?: OpenOptions;
  /** What must be true of the table that was read. */
  readonly holds?: (qvd: QvdTable, rows: readonly (readonly unknown[])[]) => boolean;
}

/** A file too large to build: bytes are made up when they are asked for. */
export function endless(size: number, start: Uint8Array, fill: number): ByteSource {
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
