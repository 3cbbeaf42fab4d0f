import { UnavailableError } from '../../errors.ts';
import { type AnyNoun, nounNames, nouns } from '../../nouns/all.ts';
import type { Database } from './database.ts';
import { isDuplicate, isExisting } from './driver-errors.ts';

/** Raised with every change of the shapes that an earlier version could not work with. */
const SCHEMA = 1;

const granuleIndexes: readonly Record<string, 1>[] = [
  { id: 1, from: 1 },
  { k: 1, dead: 1, key: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, user: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, createdAt: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, change: 1, from: 1, to: 1 },
];

/** Creates what is missing; safe when two instances do it in parallel, and when one of them is killed. */
export async function migrate(database: Database): Promise<void> {
  const fresh = {
    schema: SCHEMA,
    holder: null,
    beat: 0,
    mark: 0,
    applied: 0,
    stamp: '',
    journal: null,
    parts: 0,
    touching: [],
  };
  try {
    await database.head.updateOne({ _id: 'head' }, { $setOnInsert: fresh }, { upsert: true });
  } catch (error) {
    // Another instance has made it in this moment.
    if (!isDuplicate(error)) throw error;
  }
  const head = await database.head.findOne({ _id: 'head' });
  if ((head?.schema ?? 0) > SCHEMA) {
    throw new UnavailableError(
      'The database was written by a newer version of the service; install that version or a later one.',
    );
  }
  const { states, counters, days, staged, journal } = database;
  await Promise.all([
    ...nounNames.map((name) => makeNoun(database, nouns[name])),
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

async function makeNoun(database: Database, { name, unique, indexes }: AnyNoun): Promise<void> {
  // A transaction can't make a collection; those without indexes are made here.
  if (unique.length + indexes.length === 0)
    return makeCollection(database, database.noun(name).collectionName);
  await database
    .noun(name)
    .createIndexes([
      ...unique.map((field) => ({ key: { [`u.${field}`]: 1 } as const, unique: true, sparse: true })),
      ...indexes.map((field) => ({ key: { [`i.${field}`]: 1, _id: 1 } as const })),
    ]);
}

async function makeCollection(database: Database, name: string): Promise<void> {
  try {
    await database.db.createCollection(name);
  } catch (error) {
    if (!isExisting(error)) throw error;
  }
}
