import { resolve } from 'node:path';
import { searchText } from '../../folding.ts';
import type { DayChanges } from '../../granules.ts';
import { nouns } from '../../nouns/all.ts';
import {
  type EarlierState,
  earlierState,
  type GranuleBatches,
  type KapsuleNumbers,
  type Transfer,
  type WholeGranule,
} from '../../transfer.ts';
import { Connection } from './connection.ts';
import { DocumentTable } from './documents.ts';
import { type Counter, counterOf, findCounter, firstRow, saveCounter } from './granules/counters.ts';
import { numberDeletions } from './granules/deletions.ts';
import { purgeKapsule, purgeRows } from './granules/purge.ts';
import { kapsulesToReplaceIn, replaceMore } from './granules/replace-more.ts';
import { type EmbeddedOptions, openEmbeddedStore } from './open.ts';
import { TRANSFER_BATCH_ROWS, WHOLE_FILE_BUSY_MS } from './tuning.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';

type Row = Omit<WholeGranule, 'history'> & { row: number };

/** All that moving the data needs, beside the store on a connection of its own. */
export async function openEmbeddedTransfer(options: EmbeddedOptions): Promise<Transfer> {
  const store = await openEmbeddedStore(options);
  const connection = new Connection(resolve(options.file), { readOnly: false, busyMs: WHOLE_FILE_BUSY_MS });
  return {
    store,
    async putDocuments(noun, documents) {
      connection.atomically(() => {
        const table = new DocumentTable(connection, nouns[noun], readActiveSchema(connection).schema);
        for (const document of documents) table.put(document);
      });
    },
    kapsules: async () => {
      replaceTheRest(connection);
      numberTheRest(connection);
      return readNumbers(connection);
    },
    granules: (kapsuleId) => readGranules(connection, kapsuleId),
    async dropGranules(kapsuleId) {
      connection.atomically(() => purgeKapsule(connection, kapsuleId));
      while (connection.atomically(() => purgeRows(connection)));
    },
    putGranules: (numbers, batches) => writeGranules(connection, numbers, batches),
    async close() {
      connection.close();
      await store.close();
    },
  };
}

/** Replaces the rest of a published import, which a full disk may have prevented at the start of the store. Fails on a full disk. */
function replaceTheRest(connection: Connection): void {
  for (const kapsuleId of kapsulesToReplaceIn(connection))
    while (connection.atomically(() => replaceMore(connection, kapsuleId)));
}

/** Numbers deletions that maintenance has not reached yet: numbers must not change while they are copied. */
function numberTheRest(connection: Connection): void {
  while (connection.atomically(() => numberDeletions(connection)));
}

function readNumbers(connection: Connection): KapsuleNumbers[] {
  return connection.all<Counter>('SELECT * FROM granule_counts').map((counter) => {
    const { kapsuleId, total, reloaded, deleted, lastChange, reloadedThrough, kapsule } = counter;
    const days = connection
      .all<DayChanges>('SELECT day, changes FROM granule_days WHERE kapsule = ? ORDER BY day', kapsule)
      .map((day) => ({ ...day }));
    return { kapsuleId, total, reloaded, deleted, lastChange, reloadedThrough, days };
  });
}

async function* readGranules(connection: Connection, kapsuleId: string): GranuleBatches {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  const columns = 'row, id, key, user, data, createdAt, updatedAt, version, change';
  for (const [table, deletion] of [
    ['granules', 'NULL AS deletedAt, NULL AS deletedBy, NULL AS deletion'],
    ['granules_deleted', 'deletedAt, deletedBy, deletion'],
  ]) {
    const sql = `SELECT ${columns}, ${deletion} FROM ${table}
      WHERE kapsule = ? AND change > ? AND change <= ? ORDER BY change LIMIT ${TRANSFER_BATCH_ROWS}`;
    for (let after = 0; ; ) {
      const rows = connection.all<Row>(sql, counter.kapsule, after, counter.lastChange);
      if (rows.length === 0) break;
      yield withHistory(connection, rows);
      after = rows.at(-1)?.change ?? after;
    }
  }
}

function withHistory(connection: Connection, rows: readonly Row[]): WholeGranule[] {
  const states = connection.all<EarlierState & { row: number }>(
    `SELECT h.row, version, user, data, updatedAt, deletedAt, deletedBy, restoredBy
     FROM json_each(?) wanted CROSS JOIN granule_history h ON h.row = wanted.value ORDER BY h.row, version`,
    JSON.stringify(rows.map(({ row }) => row)),
  );
  const byRow = Map.groupBy(states, ({ row }) => row);
  return rows.map(({ row, ...granule }) => ({
    ...granule,
    history: (byRow.get(row) ?? []).map(earlierState),
  }));
}

async function writeGranules(
  connection: Connection,
  { kapsuleId, days, ...numbers }: KapsuleNumbers,
  batches: GranuleBatches,
): Promise<void> {
  const counter = connection.atomically(() => counterOf(connection, kapsuleId));
  for await (const batch of batches) {
    connection.atomically(() => {
      for (const granule of batch) writeGranule(connection, counter, granule);
      saveCounter(connection, counter);
    });
  }
  connection.atomically(() => {
    saveCounter(connection, { ...counter, ...numbers });
    const sql = 'INSERT INTO granule_days (kapsule, day, changes) VALUES (?, ?, ?)';
    for (const { day, changes } of days) connection.run(sql, counter.kapsule, day, changes);
  });
}

/** Living ones must still be shown to the search index. */
function writeGranule(connection: Connection, counter: Counter, granule: WholeGranule): void {
  const { id, key, user, data, createdAt, updatedAt, version, change, deletedAt, deletedBy } = granule;
  counter.lastRow += 1;
  const row = firstRow(counter.kapsule) + counter.lastRow;
  const search = searchText(key, user, JSON.parse(data));
  const columns = 'row, kapsule, id, version, change, createdAt, updatedAt, key, user, data, search';
  const values = [row, counter.kapsule, id, version, change, createdAt, updatedAt, key, user, data, search];
  if (deletedAt === null) {
    connection.run(`INSERT INTO granules (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...values);
    connection.run('INSERT INTO granule_unindexed (row) VALUES (?)', row);
  } else {
    const sql = `INSERT INTO granules_deleted (${columns}, deletedAt, deletedBy, deletion)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    connection.run(sql, ...values, deletedAt, deletedBy, granule.deletion);
  }
  for (const state of granule.history) {
    connection.run(
      `INSERT INTO granule_history (row, version, updatedAt, deletedAt, deletedBy, restoredBy, user, data)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row,
      state.version,
      state.updatedAt,
      state.deletedAt,
      state.deletedBy,
      state.restoredBy,
      state.user,
      state.data,
    );
  }
}
