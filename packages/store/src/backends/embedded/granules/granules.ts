import type { Granules } from '../../../granules.ts';
import { newId } from '../../../ids.ts';
import type { Nouns } from '../../../store.ts';
import { fieldsToIndex } from '../../shared/field-index.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import type { ChangeFeed } from '../change-feed.ts';
import type { Connection } from '../connection.ts';
import type { Readers } from '../readers.ts';
import type { Writer } from '../writer.ts';
import type { GranuleMethod } from './commands.ts';
import { findCounter, readCounts, readCountsOfAll } from './counters.ts';
import { unnotedFields } from './field-indexes.ts';
import { type ImportSteps, importAll } from './import-all.ts';
import { readRecord, toRecord, toState } from './records.ts';
import { untilReplaced } from './until-replaced.ts';
import { granuleWrites } from './writes.ts';

export interface Deps {
  writer: Writer;
  /** Used on the caller's thread, for reads that take microseconds. */
  connection: Connection;
  readers: Readers;
  feed: ChangeFeed;
  /** A unit of work with a long time limit, with access to the granule commands. */
  longUnit: (
    work: (nouns: Nouns, call: (method: GranuleMethod, args: unknown[]) => Promise<unknown>) => Promise<void>,
  ) => Promise<void>;
}

export function embeddedGranules({ writer, connection, readers, feed, longUnit }: Deps): Granules {
  const call = (method: GranuleMethod, args: unknown[]) =>
    writer.exclusive(() => writer.send({ kind: 'granules', method, args, inUnit: false }));
  return {
    ...granuleWrites(call, (kapsuleId) => feed.changed([kapsuleId])),
    bulkUpsert: (kapsuleId, rows) =>
      inBatches(rows, async (batch) => {
        await call('upsertBatch', [kapsuleId, batch]);
        feed.changed([kapsuleId]);
      }),
    async importAll(kapsuleId, rows, audit) {
      const steps: ImportSteps = {
        call,
        receive: (importName, given, transferred) =>
          writer.send({ kind: 'receive', importName, rows: given }, transferred),
        publish: (args, count) =>
          longUnit(async (nouns, inUnit) => {
            await inUnit('publishImport', args);
            await audit(nouns, count);
          }),
      };
      const stored = await importAll(steps, [kapsuleId, `${writer.owner}/${newId()}`], rows);
      feed.changed([kapsuleId]);
      return stored;
    },
    counts: async (kapsuleId) => readCounts(connection, kapsuleId),
    countsOfAll: async () => readCountsOfAll(connection),
    // A reload asks for the watermark, then for a stream, which waits for an import that replaces granules: later rows would be behind the mark.
    async watermark(kapsuleId) {
      await untilReplaced(connection, kapsuleId);
      return findCounter(connection, kapsuleId)?.lastChange ?? 0;
    },
    deletedSince: (kapsuleId, watermark) => readers.read('readDeletedSince', kapsuleId, watermark),
    async get(id) {
      const record = readRecord(connection, id);
      return record && toRecord(record);
    },
    async page(kapsuleId, query) {
      const isByField = query.sortField !== undefined || (query.where ?? []).length > 0;
      const fields = isByField ? fieldsToIndex(query.where ?? [], query.sortField) : [];
      const toNote = unnotedFields(connection, kapsuleId, fields);
      // The page does not wait for it; when it fails, the next page notes the fields.
      if (toNote.length > 0) call('noteFields', [kapsuleId, toNote]).catch(() => undefined);
      // Conditions on fields may read many rows: they do not delay other pages.
      const { rows, ...totals } = await readers[isByField ? 'scan' : 'read']('readPage', kapsuleId, query);
      return { ...totals, rows: rows.map(toRecord) };
    },
    async lookup(kapsuleId, keys) {
      const rows = await readers.read('readLookup', kapsuleId, keys);
      return rows.map((row) => row && toRecord(row));
    },
    kapsulesOf: async (ids) => new Map(await readers.read('readKapsulesOf', ids)),
    history: async (id, before) => (await readers.read('readHistory', id, before)).map(toState),
    changesPerDay: (kapsuleId, days) => readers.read('readChangesPerDay', kapsuleId, days),
    stream: (kapsuleId, filter) => readers.stream(kapsuleId, filter),
    onChange: (listener) => feed.listen(listener),
  };
}
