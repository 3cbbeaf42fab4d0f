import type { Refusal } from '@kaptain/contract/field-rules';
import { AppError } from '../../base/errors/app-error.ts';
import { shownKey } from '../granules/granule-size.ts';
import { RefusalTally } from './refusal-tally.ts';

/** The refused values of a write. */
export class RefusedValues {
  readonly #tally = new RefusalTally();

  add(key: string, refusals: readonly Refusal[]): void {
    this.#tally.add(key, refusals);
  }

  /** Throws when a value was refused. */
  end(): void {
    if (this.#tally.count > 0) throw valuesRefused(this.#tally);
  }
}

/** The answer to a write of which nothing is stored. */
export function valuesRefused({ count, first }: Pick<RefusalTally, 'count' | 'first'>): AppError {
  const [one] = first;
  const what = one ? `The record ${shownKey(one.key)}: ${one.message}` : undefined;
  const more = count === 1 ? '' : ` ${count} values were refused in all.`;
  return new AppError('VALUES_REFUSED', what && `${what}${more}`, { details: { count, refused: first } });
}
