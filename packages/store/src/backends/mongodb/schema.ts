import type { IndexSpecification } from 'mongodb';
import { UnavailableError } from '../../errors.ts';
import { type AnyNoun, nounNames, nouns } from '../../nouns/all.ts';
import type { Database } from './database.ts';
import { isDuplicate } from './mongo-errors.ts';

/** Raised with every change of the shapes that an earlier version could not work with. */
const SCHEMA = 1;

const granuleIndexes: readonly IndexSpecification[] = [
  { id: 1, from: 1 },
  { k: 1, dead: 1, key: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, user: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, createdAt: 1, id: 1, from: 1, to: 1 },
  { k: 1, dead: 1, change: 1, from: 1, to: 1 },
];

/** Makes what is missing; safe when two instances try at once, and when one of them is killed at any moment. */
export async function migrate(database: Database): Promise<void> {
  const fresh = {
    schema: SCHEMA,
    holder: null,
    beat: 0,
    mark: 0,
    applied: 0,
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
  // An index also makes its collection, which no transaction could do.
  for (const name of nounNames) await makeNoun(database, nouns[name]);
  await database.states.createIndex({ current: 1 }, { unique: true, sparse: true });
  for (const index of granuleIndexes) await database.states.createIndex(index);
  await database.counters.createIndex({ k: 1 }, { unique: true });
  await database.days.createIndex({ k: 1, day: 1 });
  await database.staged.createIndex({ k: 1, n: 1 });
  await database.journal.createIndex({ mark: 1, n: 1 });
  await database.imports.createIndex({ name: 1 });
  await database.purges.createIndex({ since: 1 });
}

async function makeNoun(database: Database, noun: AnyNoun): Promise<void> {
  const collection = database.noun(noun.name);
  for (const field of noun.unique) {
    await collection.createIndex({ [`u.${field}`]: 1 }, { unique: true, sparse: true });
  }
  for (const field of noun.indexes) await collection.createIndex({ [`i.${field}`]: 1, _id: 1 });
}
