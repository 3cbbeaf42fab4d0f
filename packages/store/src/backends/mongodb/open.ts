import { nouns } from '../../nouns/all.ts';
import type { Nouns, Store } from '../../store.ts';
import { Batches } from '../shared/batches.ts';
import { documentsByNoun } from '../shared/documents-by-noun.ts';
import { RepeatedSteps } from '../shared/repeated-steps.ts';
import { describeChange, type Schema } from '../shared/upgrades/schema.ts';
import { ChangeFeed } from './change-feed.ts';
import { connect, type MongoOptions } from './connect.ts';
import { documentsOf, type Source, type Write } from './documents.ts';
import { fromOpening } from './driver-errors.ts';
import { indexFields } from './granules/field-indexing.ts';
import { mongoGranules } from './granules/granules.ts';
import { granuleWrites } from './granules/writes.ts';
import { Instances } from './instances.ts';
import type { PendingWrites } from './pending-writes.ts';
import { readChangeMark, readVisibleKapsules } from './request-reads.ts';
import { needsOf, save } from './save.ts';
import { KnownSessions } from './sessions.ts';
import { databaseSource } from './sources.ts';
import { UNIT_LIMIT_MS } from './tuning.ts';
import { runUnit, type Step } from './unit.ts';
import { migrate, upgrade } from './upgrades/migrations.ts';
import { Upkeep } from './upkeep.ts';
import { Writer } from './writer.ts';

/** Opens the database, makes what is missing in it; throws UnavailableError with a sentence for the admin. */
export async function open(options: MongoOptions): Promise<Store> {
  const database = await connect(options);
  const feed = new ChangeFeed(database);
  const writer = new Writer(database, (touched) => feed.changed(touched));
  const instances = new Instances(database);
  const withLease = (work: () => Promise<void>) => writer.write(work, true);
  try {
    await database.run(() => migrate(database, instances, withLease));
    await writer.recover();
  } catch (error) {
    // Not one after another: a write that gets no answer ends only with its connection.
    const written = writer.close();
    await instances.leave();
    await database.close();
    await written;
    throw fromOpening(error);
  }
  const upkeep = new Upkeep(database, writer, async () => {
    if (database.schema.changes().length > 0) await withLease(() => upgrade(database, instances));
  });
  const fieldIndexing = new RepeatedSteps(() => database.run(() => indexFields(database)));
  const known = new KnownSessions(database);
  const sessions = new Batches((hashes) => database.read(() => known.find(hashes)));
  let closing: Promise<void> | undefined;
  const close = async () => {
    feed.stop();
    await fieldIndexing.stop();
    await upkeep.stop();
    await writer.close();
    await instances.leave();
    await database.close();
  };

  return {
    ...nounsOn(database.schema, databaseSource(database), (step) => writer.write(step)),
    granules: mongoGranules({ database, writer, feed, upkeep, nounsOf: nounsOfDraft }),
    sessionWithUser: (tokenHash) => sessions.get(tokenHash),
    visibleTo: (userId, kapsuleId) => database.read(() => readVisibleKapsules(database, userId, kapsuleId)),
    changeMark: () => database.read(() => readChangeMark(database)),
    transaction: (work) =>
      writer.write(
        (pending) =>
          runUnit(pending, UNIT_LIMIT_MS, (step) => {
            const write: Step = (one) => database.run(() => step(one));
            return work({ ...nounsOfSteps(database.schema, write), granules: granuleWrites(write) });
          }),
        true,
      ),
    save: (saving) =>
      writer.write((pending) => save(pending, nounsOfDraft(pending), saving), false, needsOf(saving)),
    schemaVersion: async () =>
      (await database.read(() => database.head.findOne({ _id: 'head' })))?.schema ?? 0,
    pendingChanges: () => database.schema.changes().map(describeChange),
    pools: () => [writer.pool, ...database.pools],
    ping: async () => {
      await database.read(() => database.db.command({ ping: 1 }));
    },
    close: () => (closing ??= close()),
  };
}

function nounsOfSteps(schema: Schema, step: Step): Nouns {
  const source: Source = {
    get: (noun, id) => step((pending) => pending.get(noun, id)),
    select: (noun, selection) => step((pending) => pending.select(noun, selection)),
  };
  return nounsOn(schema, source, (write) => step(write));
}

function nounsOfDraft(pending: PendingWrites): Nouns {
  return nounsOn(pending.database.schema, pending, (write) => pending.step(() => write(pending)));
}

function nounsOn(schema: Schema, source: Source, write: Write): Nouns {
  return documentsByNoun((name, reader) => documentsOf({ noun: nouns[name], schema }, reader, source, write));
}
