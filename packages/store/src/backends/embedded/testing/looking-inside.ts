import { DatabaseSync } from 'node:sqlite';
import { expect, vi } from 'vitest';
import { SEARCH_TABLE_ROWS } from '../tuning.ts';

/** Looks past the store, at the file itself. */
export function inside<T>(file: string, look: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
  try {
    return look(database);
  } finally {
    database.close();
  }
}

export function countIn(file: string, table: string): number {
  return inside(file, (database) => {
    const { rows } = database.prepare(`SELECT count(*) AS rows FROM ${table}`).get() as { rows: number };
    return rows;
  });
}

/** The pages of the write-ahead log since it was begun anew. */
export function logPages(file: string): number {
  return inside(file, (database) => {
    const { log } = database.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { log: number };
    return log;
  });
}

/** Until the writer has done the work it leaves for idle times. */
export async function untilEmpty(file: string, ...tables: string[]): Promise<void> {
  for (const table of tables) {
    await vi.waitFor(() => expect([table, countIn(file, table)]).toEqual([table, 0]), { timeout: 60_000 });
  }
}

/** Until every large kapsule has a search index that knows all of its rows. */
export async function untilIndexed(file: string): Promise<void> {
  const large = `granule_counts c WHERE c.lastRow >= ${SEARCH_TABLE_ROWS} AND`;
  await untilEmpty(
    file,
    `${large} c.kapsule NOT IN (SELECT kapsule FROM granule_indexes)`,
    `${large} EXISTS (SELECT 1 FROM granule_unindexed u WHERE u.row >> 32 = c.kapsule)`,
  );
}
