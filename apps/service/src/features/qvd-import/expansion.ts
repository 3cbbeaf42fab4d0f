import { limits } from '@kaptain/contract/limits';
import { ImportRefusal } from './import-refusal.ts';

/**
 * A QVD file holds each value once, however many rows have it: a small file can have rows without end. So what an import
 * may store depends on what was sent.
 */
export class Expansion {
  readonly #most: number;
  readonly #sent: number;
  #bytes = 0;

  constructor(files: readonly { bytes: number }[]) {
    this.#sent = files.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#most = limits.qvdExpansion * this.#sent + limits.qvdExpansionBytes;
  }

  /** Refuses the row with which it becomes too much. */
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
