import type { Step } from '../shared/steps.ts';
import type { Database } from './database.ts';
import { isExisting } from './driver-errors.ts';

const granuleIndexes: readonly Record<string, 1>[] = [
  { id: 1, from: 1 },
  { k: 1, dead: 1, key: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, user: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, createdAt: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, change: 1, from: 1, to: 1 },
];

/** A step is done by the holder of the lease; after a kill it is done again, which must do no harm. */
export const steps: readonly Step<(database: Database) => Promise<void>>[] = [
  { work: makeGranules },
  // Earlier versions would leave the indexes of purged kapsules behind.
  { work: makeFieldIndexes },
];

async function makeFieldIndexes({ fieldIndexes, fieldEntries }: Database): Promise<void> {
  await fieldIndexes.createIndex({ k: 1, type: 1, name: 1 }, { unique: true });
  await fieldEntries.createIndex({ n: 1, v: 1, id: 1 });
}

async function makeGranules(database: Database): Promise<void> {
  const { states, counters, days, staged, journal } = database;
  await Promise.all([
    states.createIndexes([
      { key: { current: 1 }, unique: true, sparse: true },
      ...granuleIndexes.map((key) => ({ key })),
    ]),
    counters.createIndex({ k: 1 }, { unique: true }),
    days.createIndex({ k: 1, day: 1 }),
    staged.createIndex({ k: 1, n: 1 }),
    journal.createIndex({ mark: 1, n: 1 }),
    // No transaction could make a collection; the others are made by their indexes.
    ...['granule_imports', 'granule_purges'].map((name) => makeCollection(database, name)),
  ]);
}

/** Made beforehand, because a transaction can't make a collection. */
export async function makeCollection(database: Database, name: string): Promise<void> {
  try {
    await database.db.createCollection(name);
  } catch (error) {
    if (!isExisting(error)) throw error;
  }
}
