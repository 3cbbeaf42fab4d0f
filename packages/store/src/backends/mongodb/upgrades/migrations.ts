import { UnavailableError } from '../../../errors.ts';
import { nounNames, nouns } from '../../../nouns/all.ts';
import { OTHER_VERSION } from '../../shared/upgrades/steps.ts';
import type { Database } from '../database.ts';
import { isDuplicate } from '../driver-errors.ts';
import type { Instances } from '../instances.ts';
import { changeActiveSchema, readActiveSchema, record } from './schema-state.ts';
import { makeCollection, steps } from './steps.ts';

/** Runs work with the lease, while no other instance writes. */
type WithLease = (work: () => Promise<void>) => Promise<void>;

/** Creates what is missing; safe when two instances do it in parallel, and when one of them is killed. */
export async function migrate(database: Database, instances: Instances, withLease: WithLease): Promise<void> {
  await makeHead(database);
  await instances.announce();
  const done = await readActiveSchema(database);
  await Promise.all(nounNames.map((name) => makeCollection(database, nouns[name].name)));
  if (done < steps.length || database.schema.changes().length > 0)
    await withLease(() => upgrade(database, instances));
}

/** Does the missing steps and activates the schema of this version, unless another version uses the database. */
export async function upgrade(database: Database, instances: Instances, known = steps): Promise<void> {
  const done = await readActiveSchema(database);
  const isOtherThere = done > 0 && (await instances.isOtherVersionThere());
  const missing = known.slice(done);
  if (isOtherThere && missing.some(({ isAdditive }) => !isAdditive))
    throw new UnavailableError(OTHER_VERSION);
  for (const { work } of missing) await work(database);
  if (!isOtherThere && database.schema.changes().length > 0) await changeActiveSchema(database);
  if (missing.length > 0) await record(database, database.schema.active, known);
}

async function makeHead(database: Database): Promise<void> {
  const fresh = {
    schema: 0,
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
}
