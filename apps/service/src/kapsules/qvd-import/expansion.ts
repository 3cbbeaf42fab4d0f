import { limits } from '@kaptain/contract/limits';
import type { PackedRow } from '@kaptain/store/packed-rows';
import { ImportRefusal } from './import-refusal.ts';

/** The bytes around the values of a row, so that rows of short values count too. */
const AROUND = '{"key":"","user":"","data":}'.length;

/**
 * Limits what an import may store by the size of its files: a QVD file has each value once, so a small file can have
 * an unlimited number of rows.
 */
export class Expansion {
  readonly #most: number;
  readonly #sent: number;
  #bytes = 0;

  constructor(files: readonly { bytes: number }[]) {
    this.#sent = files.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#most = limits.qvdExpansion * this.#sent + limits.qvdExpansionBytes;
  }

  /** Throws at the row that exceeds the limit. */
  add([key, user, data]: PackedRow): void {
    this.#bytes += AROUND + Buffer.byteLength(key) + Buffer.byteLength(user) + Buffer.byteLength(data);
    if (this.#bytes <= this.#most) return;
    const [sent, most] = [this.#sent, this.#most].map((bytes) => bytes.toLocaleString('en-US'));
    throw new ImportRefusal(
      `the rows of the files, which have ${sent} bytes together, would take more than ${most} bytes. Please import fewer columns or rows at once.`,
      'TOO_LARGE',
    );
  }
}
