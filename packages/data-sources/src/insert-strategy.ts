import { BATCH_SIZE, type BatchSize, splitBatch } from './batches.ts';
import type { Dialect, Session } from './dialect.ts';
import { DataSourceError } from './errors.ts';
import { isInsertable, type PreparedRow } from './prepared-row.ts';
import type { Shape } from './shape.ts';

/** The first batch is small: it only shows whether the keys are new, and looking keys up is the slow part. */
const FIRST_BATCH: BatchSize = { ...BATCH_SIZE, rows: 500 };
/** Batches of new rows are large: inserting is fast, so the round trips of each transaction dominate. */
const NEW_ROWS_BATCH: BatchSize = { rows: 20_000, characters: 8_000_000 };

/** Chooses between insert and upsert: after a batch of only new keys, the next batch is inserted without a look-up. */
export class InsertStrategy {
  readonly #dialect: Dialect;
  expectsNewKeys: boolean | undefined;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get batchSize(): BatchSize {
    if (this.expectsNewKeys === undefined) return FIRST_BATCH;
    return this.expectsNewKeys ? NEW_ROWS_BATCH : BATCH_SIZE;
  }

  /**
   * `insert` stores the rows without a look-up and rolls back when one violates the unique key; then `upsert` stores
   * them with a look-up.
   */
  async store(
    rows: readonly PreparedRow[],
    insert: () => Promise<unknown>,
    upsert: (batch: readonly PreparedRow[]) => Promise<unknown>,
  ): Promise<void> {
    if (this.expectsNewKeys && rows.every(isInsertable)) {
      try {
        await insert();
        return;
      } catch (error) {
        // A value error other than a key violation fails again in the upsert, which reports it.
        if (this.#categoryOf(error) !== 'value') throw error;
      }
    }
    for (const batch of splitBatch(rows)) await upsert(batch);
  }

  #categoryOf(error: unknown) {
    return error instanceof DataSourceError ? error.category : this.#dialect.categoryOf(error);
  }
}

/** Asks the catalog, because the unique index may have been dropped since the table was bound. */
export async function refusesKnownKeys({
  dialect,
  session,
  shape,
}: {
  dialect: Dialect;
  session: Session;
  shape: Shape;
}): Promise<boolean> {
  if (!session.bulk || !shape.key.isWritten) return false;
  const query = dialect.immediateUniqueQuery ?? dialect.uniqueQuery;
  const unique = query ? await session.rows(query, [shape.table]) : [];
  return unique.some(([name]) => name === shape.key.name);
}
