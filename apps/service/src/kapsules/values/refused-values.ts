import { limits } from '@kaptain/contract';
import type { Refusal } from '@kaptain/contract/field-rules';
import { PageRoom } from '@kaptain/store';
import { AppError } from '../../base/errors/app-error.ts';
import { shownKey } from '../granules/granule-size.ts';

/** A value of a row that breaks the type or a rule of its field. */
interface RefusedValue extends Refusal {
  key: string;
}

/** Counts refused values, and keeps the first ones, as many as fit into one answer. */
export class RefusedValues {
  readonly #first: RefusedValue[] = [];
  readonly #room = new PageRoom();
  #isFull = false;
  #count = 0;

  add(key: string, refusals: readonly Refusal[]): void {
    for (const refusal of refusals) {
      this.#count += 1;
      this.#isFull ||=
        this.#first.length === limits.refusalsTold ||
        !this.#room.takes(Buffer.byteLength(JSON.stringify(refusal)));
      if (!this.#isFull) this.#first.push({ key, ...refusal });
    }
  }

  /** Throws when a value was refused. */
  end(): void {
    const [first] = this.#first;
    if (!first) return;
    const more = this.#count === 1 ? '' : ` ${this.#count} values were refused in all.`;
    throw new AppError('VALUES_REFUSED', `The record ${shownKey(first.key)}: ${first.message}${more}`, {
      details: { count: this.#count, refused: this.#first },
    });
  }
}
