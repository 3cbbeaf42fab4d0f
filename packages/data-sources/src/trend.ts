import { PORTION, type Portion, portionsOf } from './batches.ts';
import type { Dialect } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { isPlain, type PreparedRow } from './upsert.ts';

/** Enough to learn from: looking for keys takes longer than storing them. */
const FIRST: Portion = { ...PORTION, rows: 500 };
/** New rows take little time, and each transaction costs some round trips in which the server waits. */
const NEW: Portion = { rows: 20_000, characters: 8_000_000 };

/** What the batch before was like: where all its keys were new, those of the next one probably are, too. */
export class Trend {
  readonly #dialect: Dialect;
  isOnlyNew: boolean | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get portion(): Portion {
    if (this.isOnlyNew === undefined) return FIRST;
    return this.isOnlyNew ? NEW : PORTION;
  }

  /**
   * `asNew` stores rows without looking for their keys and leaves nothing behind when the table, which knows its keys
   * best, refuses one; then `store` looks first.
   */
  async store(
    rows: readonly PreparedRow[],
    asNew: () => Promise<unknown>,
    store: (portion: readonly PreparedRow[]) => Promise<unknown>,
  ): Promise<void> {
    if (this.isOnlyNew && rows.every(isPlain)) {
      try {
        await asNew();
        return;
      } catch (error) {
        // If it was about something else, that comes up again and is told then.
        if (this.#categoryOf(error) !== 'value') throw error;
      }
    }
    for (const portion of portionsOf(rows)) await store(portion);
  }

  #categoryOf(error: unknown) {
    return error instanceof DataSourceError ? error.category : this.#dialect.categoryOf(error);
  }
}
