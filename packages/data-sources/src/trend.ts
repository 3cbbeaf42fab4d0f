import type { Dialect } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { isPlain, type PreparedRow } from './upsert.ts';

/** What the batch before was like: where all its keys were new, those of the next one probably are, too. */
export class Trend {
  readonly #dialect: Dialect;
  isOnlyNew = false;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /**
   * `asNew` stores rows without looking for their keys and leaves nothing behind when the table, which knows its keys
   * best, refuses one; then `store` looks first.
   */
  async store(
    rows: readonly PreparedRow[],
    asNew: () => Promise<unknown>,
    store: () => Promise<unknown>,
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
    await store();
  }

  #categoryOf(error: unknown) {
    return error instanceof DataSourceError ? error.category : this.#dialect.categoryOf(error);
  }
}
