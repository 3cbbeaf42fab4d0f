import { limits } from '@kaptain/contract/limits';
import { ImportRefusal } from './import-refusal.ts';

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
  take(row: string): void {
    this.#bytes += Buffer.byteLength(row);
    if (this.#bytes <= this.#most) return;
    const [sent, most] = [this.#sent, this.#most].map((bytes) => bytes.toLocaleString('en-US'));
    throw new ImportRefusal(
      `the rows of the files, which have ${sent} bytes together, would take more than ${most} bytes. Please import fewer columns or rows at once.`,
      'TOO_LARGE',
    );
  }
}
