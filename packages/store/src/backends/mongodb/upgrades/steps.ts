import type { Filter } from 'mongodb';
import type { Step } from '../../shared/upgrades/steps.ts';
import type { Database } from '../database.ts';
import { isExisting } from '../driver-errors.ts';
import type { State } from '../shapes.ts';

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
  { work: numberDeletions, isAdditive: true },
];

/**
 * Creates the index of the deletions of each kapsule in the order of changes. A deleted granule that an earlier version
 * copied from another database has no number for its deletion, and gets one as if it was deleted now.
 */
async function numberDeletions({ states, counters }: Database): Promise<void> {
  await states.createIndex({ k: 1, from: 1, to: 1 }, { partialFilterExpression: { dead: true } });
  const find = (filter: Filter<State>) =>
    states.find({ dead: true, current: { $exists: true }, ...filter }, { projection: { _id: 1 } });
  for (const { _id: kapsuleId, k, lastChange } of await counters.find().toArray()) {
    const number = async (_id: string) => {
      const counter = await counters.findOne({ _id: kapsuleId });
      // Before the number is counted no reader looks at it; a reader that knows the number has to find the deletion.
      if (counter) await states.updateOne({ _id }, { $set: { from: counter.lastChange + 1 } });
      await counters.updateOne({ _id: kapsuleId }, { $inc: { lastChange: 1 } });
    };
    // A killed attempt may have left one whose number was not counted.
    for (const { _id } of await find({ k, from: { $gt: lastChange } }).toArray()) await number(_id);
    const unnumbered = find({ k, $expr: { $eq: ['$from', '$change'] } });
    for await (const { _id } of unnumbered) await number(_id);
  }
}

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
