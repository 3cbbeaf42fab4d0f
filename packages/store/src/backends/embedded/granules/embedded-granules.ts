import type { GranuleInput, Granules } from '../../../granules.ts';
import type { Nouns } from '../../../store.ts';
import type { Connection } from '../connection.ts';
import type { Writer } from '../writer.ts';
import { inBatches } from './bulk-upsert.ts';
import { findCounter, readChangesPerDay, readCounts, readCountsOfAll } from './counters.ts';
import { readPage, streamLines } from './page.ts';
import { readHistory, readKapsulesOf, readRecord, toRecord, toState } from './records.ts';
import { toRow } from './rows.ts';
import { granuleWrites } from './writes.ts';

interface Parts {
  writer: Writer;
  connection: Connection;
  transaction: <T>(
    work: (unit: Nouns & { granules: ReturnType<typeof granuleWrites> }) => Promise<T>,
  ) => Promise<T>;
  listeners: Set<(kapsuleId: string) => void>;
  touched: (kapsuleId: string) => void;
}

export function embeddedGranules({ writer, connection, transaction, listeners, touched }: Parts): Granules {
  const writes = granuleWrites(
    (method, args) => writer.exclusive(() => writer.send({ kind: 'granules', method, args, inUnit: false })),
    touched,
  );
  return {
    ...writes,
    async bulkUpsert(kapsuleId, rows) {
      return await inBatches(rows, async (batch) => {
        await writer.exclusive(() =>
          writer.send({ kind: 'granules', method: 'upsertRows', args: [kapsuleId, batch], inUnit: false }),
        );
        touched(kapsuleId);
      });
    },
    async importAll(kapsuleId, rows, audit) {
      const all: GranuleInput[] = [];
      for await (const row of rows) {
        toRow(row);
        all.push(row);
      }
      return await transaction(async (unit) => {
        await unit.granules.upsert(kapsuleId, all);
        await audit(unit, all.length);
        return all.length;
      });
    },
    counts: async (kapsuleId) => readCounts(connection, kapsuleId),
    countsOfAll: async () => readCountsOfAll(connection),
    page: async (kapsuleId, query) => {
      const { rows, ...totals } = readPage(connection, kapsuleId, query);
      return { ...totals, rows: rows.map(toRecord) };
    },
    get: async (id) => {
      const record = readRecord(connection, id);
      return record && toRecord(record);
    },
    kapsulesOf: async (ids) => new Map(readKapsulesOf(connection, ids)),
    history: async (id) => readHistory(connection, id).map(toState),
    changesPerDay: async (kapsuleId, days) => readChangesPerDay(connection, kapsuleId, days),
    watermark: async (kapsuleId) => findCounter(connection, kapsuleId)?.lastChange ?? 0,
    async *stream(kapsuleId, filter) {
      yield* streamLines(connection, kapsuleId, filter);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}
