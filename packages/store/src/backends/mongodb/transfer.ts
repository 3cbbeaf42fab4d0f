import { searchText } from '../../folding.ts';
import { newId } from '../../ids.ts';
import { nouns } from '../../nouns/all.ts';
import type { EarlierState, GranuleBatches, KapsuleNumbers, Transfer, WholeGranule } from '../../transfer.ts';
import { connect, type MongoOptions } from './connect.ts';
import type { Database } from './database.ts';
import { toStore } from './documents.ts';
import { currentOf } from './granules/pending-kapsule.ts';
import { statesVisibleAt } from './granules/records.ts';
import { open } from './open.ts';
import { type Counter, FOR_EVER, type State } from './shapes.ts';
import { TRANSFER_BATCH_ROWS } from './tuning.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';

/** Earlier states lie before every change that a reader can know; their order is that of their versions. */
const BEFORE_ALL = -1_000_000_000;

/** All that moving the data needs, beside the store on connections of its own. */
export async function openTransfer(options: MongoOptions): Promise<Transfer> {
  const store = await open(options);
  const database = await connect(options);
  return {
    store,
    putDocuments: (noun, documents) =>
      database.run(async () => {
        await readActiveSchema(database);
        await database.noun(noun).bulkWrite(
          documents.map((document) => {
            const of = { noun: nouns[noun], schema: database.schema };
            const { _id, ...shape } = toStore(of, { ...document });
            return { replaceOne: { filter: { _id }, replacement: shape, upsert: true } };
          }),
        );
      }),
    kapsules: () => database.run(() => readNumbers(database)),
    granules: (kapsuleId) => readGranules(database, kapsuleId),
    async dropGranules(kapsuleId) {
      const counter = await database.run(() => database.counters.findOne({ _id: kapsuleId }));
      await store.granules.purgeKapsule(kapsuleId);
      if (counter) await database.run(() => database.states.deleteMany({ k: counter.k }));
    },
    putGranules: (numbers, batches) => database.run(() => writeGranules(database, numbers, batches)),
    async close() {
      await database.close();
      await store.close();
    },
  };
}

async function readNumbers(database: Database): Promise<KapsuleNumbers[]> {
  const counters = await database.counters.find().toArray();
  return await Promise.all(
    counters.map(async ({ _id: kapsuleId, k, ...numbers }) => {
      const days = await database.days.find({ k }).sort({ day: 1 }).toArray();
      return { kapsuleId, ...numbers, days: days.map(({ day, changes }) => ({ day, changes })) };
    }),
  );
}

async function* readGranules(database: Database, kapsuleId: string): GranuleBatches {
  const counter = await database.run(() => database.counters.findOne({ _id: kapsuleId }));
  if (!counter) return;
  for (const dead of [false, true]) {
    for (let after = 0; ; ) {
      const query = { ...statesVisibleAt(counter), dead, change: { $gt: after } };
      const states = await database.run(() =>
        database.states.find(query).sort({ change: 1 }).limit(TRANSFER_BATCH_ROWS).toArray(),
      );
      if (states.length === 0) break;
      yield await database.run(() => withHistory(database, counter, states));
      after = states.at(-1)?.change ?? after;
    }
  }
}

async function withHistory(
  database: Database,
  { lastChange }: Counter,
  states: State[],
): Promise<WholeGranule[]> {
  const ids = states.map(({ id }) => id);
  const earlier = await database.states
    .find({ id: { $in: ids }, to: { $lte: lastChange } })
    .sort({ from: 1 })
    .toArray();
  const byId = Map.groupBy(earlier, ({ id }) => id);
  return states.map((present) => {
    const { id, key, user, data, createdAt, updatedAt, version, change, deletedAt, deletedBy } = present;
    const deletion = present.from > change ? present.from : null;
    const history = historyOf([...(byId.get(id) ?? []), present]);
    const state = { id, key, user, data, createdAt, updatedAt, version, change };
    return { ...state, deletedAt, deletedBy, deletion, history };
  });
}

/** The last state of each version but the present one; the next version knows who restored it. */
function historyOf(states: State[]): EarlierState[] {
  const latest = states.filter((state, n) => state.version !== states[n + 1]?.version);
  return latest.slice(0, -1).map(({ version, user, data, updatedAt, deletedAt, deletedBy }, n) => {
    const restoredBy = latest[n + 1]?.restoredBy ?? null;
    return { version, user, data, updatedAt, deletedAt, deletedBy, restoredBy };
  });
}

async function writeGranules(
  database: Database,
  { kapsuleId, days, ...numbers }: KapsuleNumbers,
  batches: GranuleBatches,
): Promise<void> {
  const k = newId();
  const none = { total: 0, reloaded: 0, deleted: 0, lastChange: 0, reloadedThrough: 0 };
  await database.counters.insertOne({ _id: kapsuleId, k, ...none });
  for await (const batch of batches) {
    await database.states.insertMany(batch.flatMap((granule) => statesOf(k, granule)));
  }
  if (days.length > 0) {
    await database.days.insertMany(days.map(({ day, changes }) => ({ _id: `${k}/${day}`, k, day, changes })));
  }
  await database.counters.updateOne({ _id: kapsuleId }, { $set: numbers });
}

function statesOf(k: string, { history, deletion, ...granule }: WholeGranule): State[] {
  const { id, key, createdAt, change } = granule;
  const common = { k, id, key, createdAt };
  const searchOf = (user: string, data: string) => searchText(key, user, JSON.parse(data));
  const earlier = history.map((state, n): State => {
    const from = BEFORE_ALL + state.version;
    return {
      ...common,
      ...state,
      _id: newId(),
      search: searchOf(state.user, state.data),
      change: from,
      from,
      to: from + 1,
      dead: state.deletedAt !== null,
      restoredBy: history[n - 1]?.restoredBy ?? null,
    };
  });
  const present: State = {
    ...common,
    ...granule,
    _id: newId(),
    search: searchOf(granule.user, granule.data),
    from: deletion ?? change,
    to: FOR_EVER,
    dead: granule.deletedAt !== null,
    restoredBy: history.at(-1)?.restoredBy ?? null,
    current: currentOf(k, key),
  };
  return [...earlier, present];
}
