import type { Granules } from '../../../granules.ts';
import type { Nouns } from '../../../store.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import type { ChangeFeed } from '../change-feed.ts';
import type { Database } from '../database.ts';
import type { PendingWrites } from '../pending-writes.ts';
import type { Upkeep } from '../upkeep.ts';
import type { Writer } from '../writer.ts';
import { readChangesPerDay, readCounts, readCountsOfAll } from './counters.ts';
import { readDeletedSince } from './deletions.ts';
import { importAll } from './import-all.ts';
import { readLookup } from './lookup.ts';
import { readPage } from './page.ts';
import { readHistory, readKapsulesOf, readRecord } from './records.ts';
import { streamLines } from './stream.ts';
import { upsertRows } from './upsert.ts';
import { granuleWrites } from './writes.ts';

interface Deps {
  database: Database;
  writer: Writer;
  feed: ChangeFeed;
  upkeep: Upkeep;
  nounsOf: (pending: PendingWrites) => Nouns;
}

export function mongoGranules({ database, writer, feed, upkeep, nounsOf }: Deps): Granules {
  const writes = granuleWrites((step) => writer.write(step));
  return {
    ...writes,
    async purgeKapsule(kapsuleId) {
      await writes.purgeKapsule(kapsuleId);
      upkeep.soon();
    },
    bulkUpsert: (kapsuleId, rows) =>
      inBatches(rows, (batch) =>
        writer.write(async (pending) => {
          await upsertRows(await pending.kapsule(kapsuleId, true), batch);
        }, true),
      ),
    importAll: (kapsuleId, rows, audit) =>
      importAll({ database, alone: (work) => writer.write(work, true), nounsOf }, kapsuleId, rows, audit),
    counts: (kapsuleId) => database.read(() => readCounts(database, kapsuleId)),
    countsOfAll: () => database.read(() => readCountsOfAll(database)),
    watermark: async (kapsuleId) =>
      (await database.read(() => database.counters.findOne({ _id: kapsuleId })))?.lastChange ?? 0,
    deletedSince: (kapsuleId, watermark) =>
      database.read(() => readDeletedSince(database, kapsuleId, watermark)),
    get: (id) => database.read(() => readRecord(database, id)),
    page: (kapsuleId, query) => database.search(() => readPage(database, kapsuleId, query)),
    lookup: (kapsuleId, keys) => database.read(() => readLookup(database, kapsuleId, keys)),
    kapsulesOf: (ids) => database.read(() => readKapsulesOf(database, ids)),
    history: (id, before) => database.read(() => readHistory(database, id, before)),
    changesPerDay: (kapsuleId, days) => database.read(() => readChangesPerDay(database, kapsuleId, days)),
    stream: (kapsuleId, filter) => streamLines(database, kapsuleId, filter),
    onChange: (listener) => feed.listen(listener),
  };
}
