import { UnavailableError } from '../../../errors.ts';
import { type AnyNoun, type NounName, nouns } from '../../../nouns/all.ts';
import { fromStored } from '../../../nouns/forms.ts';
import type { DeclaredIndex } from '../../shared/upgrades/declared-indexes.ts';
import { type ActiveSchema, isNewer } from '../../shared/upgrades/schema.ts';
import { leastSteps, newerVersion } from '../../shared/upgrades/steps.ts';
import type { Database } from '../database.ts';
import { isMissingIndex } from '../driver-errors.ts';
import { toShape } from '../shapes.ts';
import { REFILL_BATCH_DOCUMENTS } from '../tuning.ts';
import { steps } from './steps.ts';

const pathOf = ({ kind, field }: DeclaredIndex) => (kind === 'unique' ? `u.${field}` : `i.${field}`);

/** Reads the active schema; throws when it is that of a newer version. Returns how many steps were done. */
export async function readActiveSchema(database: Database): Promise<number> {
  // Read first: a change in between makes the revision too old, never what is known of it.
  const head = await database.head.findOne({ _id: 'head' }, { projection: { schema: 1 } });
  const recorded = await database.schemaRecord.findOne({ _id: 'schema' });
  const { done = 0, least = 0, forms = {}, indexes = [] } = recorded ?? {};
  if (isNewer({ forms }, least, steps.length))
    throw new UnavailableError(newerVersion(`The database ${database.db.databaseName}`));
  database.schema.active = { forms, indexes };
  database.schemaRevision = head?.schema ?? 0;
  return done;
}

/** The holder of the lease changes the schema to that of this version. Doing it twice does no harm. */
export async function changeActiveSchema(database: Database): Promise<void> {
  const { schema } = database;
  const changes = schema.changes();
  const built = changes.flatMap((change) => (change.kind === 'build' ? [change] : []));
  const byNoun = Map.groupBy(
    built.map(({ index }) => index),
    ({ noun }) => noun,
  );
  await Promise.all([...byNoun].map(([noun, indexes]) => buildIndexes(database, noun as NounName, indexes)));
  for (const change of changes) if (change.kind === 'drop') await dropIndex(database, change.index);
  const raised = changes.flatMap((change) => (change.kind === 'form' ? [[change.noun, change.form]] : []));
  const forms = { ...schema.active.forms, ...Object.fromEntries(raised) };
  const dropped = changes.flatMap((change) => (change.kind === 'drop' ? [change.index] : []));
  const remaining = schema.active.indexes.filter((index) => !dropped.includes(index));
  const indexes = [...remaining, ...built.map(({ index }) => index)];
  await record(database, { forms, indexes });
  schema.active = { forms, indexes };
}

/** Stores the number of steps and the active schema. The revision in the head tells the other instances to read it again. */
export async function record(database: Database, active: ActiveSchema, known = steps): Promise<void> {
  const tables = { done: known.length, least: leastSteps(known, known.length) };
  await database.schemaRecord.updateOne(
    { _id: 'schema' },
    // A newer version may have made additions.
    { $set: { forms: active.forms, indexes: active.indexes }, $max: tables },
    { upsert: true },
  );
  const head = await database.head.findOneAndUpdate(
    { _id: 'head' },
    { $inc: { schema: 1 } },
    { returnDocument: 'after', projection: { schema: 1 } },
  );
  database.schemaRevision = head?.schema ?? 0;
}

async function buildIndexes(
  database: Database,
  noun: NounName,
  indexes: readonly DeclaredIndex[],
): Promise<void> {
  await refill(database, noun);
  await database.noun(noun).createIndexes(
    indexes.map((index) => {
      const path = pathOf(index);
      if (index.kind === 'unique') return { key: { [path]: 1 }, unique: true, sparse: true };
      return { key: { [path]: 1, _id: 1 } };
    }),
  );
}

async function dropIndex(database: Database, index: DeclaredIndex): Promise<void> {
  const name = index.kind === 'unique' ? `${pathOf(index)}_1` : `${pathOf(index)}_1__id_1`;
  try {
    await database.noun(index.noun).dropIndex(name);
  } catch (error) {
    if (!isMissingIndex(error)) throw error;
  }
}

/** Writes the indexed values of all documents anew. */
async function refill(database: Database, name: NounName): Promise<void> {
  const noun: AnyNoun = nouns[name];
  for (let after = ''; ; ) {
    const shapes = await database
      .noun(name)
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(REFILL_BATCH_DOCUMENTS)
      .toArray();
    if (shapes.length === 0) return;
    await database.noun(name).bulkWrite(
      shapes.map(({ _id, doc }) => {
        const document = fromStored(noun, JSON.parse(doc) as Record<string, unknown> & { id: string });
        const { u, i } = toShape(noun, document, doc);
        return { updateOne: { filter: { _id }, update: { $set: { u, i } } } };
      }),
    );
    after = shapes.at(-1)?._id ?? after;
  }
}
