import { limits } from '@kaptain/contract';
import { AppError } from '../../base/errors/app-error.ts';
import { PROPOSED_BYTES } from '../tuning.ts';

/** Counts the drafts of a save, and refuses it before the stored values that they hold fill the memory. */
export class DraftRoom {
  #count = 0;
  #bytes = 0;

  add(base: Readonly<Record<string, unknown>>): void {
    this.#count += 1;
    this.#bytes += Buffer.byteLength(JSON.stringify(base));
    if (this.#count > limits.proposalsAtOnce)
      throw new AppError(
        'TOO_LARGE',
        `These changes need approval, and at most ${limits.proposalsAtOnce} records can be proposed at once.`,
      );
    if (this.#bytes > PROPOSED_BYTES)
      throw new AppError(
        'TOO_LARGE',
        `These changes need approval, and replace more than ${PROPOSED_BYTES / 1024 ** 2} MiB of values: please propose fewer records at once.`,
      );
  }
}
