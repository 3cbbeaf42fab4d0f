import { setTimeout } from 'node:timers/promises';
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
import type { PostgresOptions } from './config.ts';
import { Connections, inTransaction } from './connections.ts';
import { DocumentTable } from './documents.ts';
import { type Counter, findCounter } from './granules/counters.ts';
import { numberAllDeletions } from './granules/deletions.ts';
import { Inputs, prefixOf } from './granules/input.ts';
import { purgeRows } from './granules/purge.ts';
import { KEY } from './granules/records.ts';
import { open } from './open.ts';
import type { Session } from './session.ts';
import { PURGE_WAIT_MS, TRANSFER_BATCH_ROWS } from './tuning.ts';
import { readActiveSchema } from './upgrades/schema-state.ts';

const PURGES = 'SELECT 1 AS found FROM kapsule_data.granule_purges LIMIT 1';

type Row = Omit<WholeGranule, 'history'>;

/** All that moving the data needs, beside the store on connections of its own. */
export async function openTransfer(options: PostgresOptions): Promise<Transfer> {
  const store = await open(options);
  const connections = new Connections(options);
  await connections.locate();
  const write = (work: (session: Session) => Promise<void>) =>
    connections.apart((session) => inTransaction(session, 'BEGIN', work));
  return {
    store,
    putDocuments: (noun, documents) =>
      write(async (session) => {
        await readActiveSchema(session, connections.schema);
        await new DocumentTable(nouns[noun], connections.schema).put(session, documents);
      }),
    async kapsules() {
      // Numbers must not change while they are copied.
      await numberAllDeletions(connections);
      return connections.read(readNumbers);
    },
    granules: (kapsuleId) => readGranules(connections, kapsuleId),
    async dropGranules(kapsuleId) {
      await store.granules.purgeKapsule(kapsuleId);
      // The store frees the space bit by bit; here it must be free before the same ids come again.
      while (await connections.read((session) => session.get(PURGES))) {
        const isMore = await connections.atomically(connections.granuleWrites, 'BEGIN', purgeRows);
        if (!isMore) await setTimeout(PURGE_WAIT_MS);
      }
    },
    putGranules: (numbers, batches) => writeGranules(write, numbers, batches),
    async close() {
      await connections.close();
      await store.close();
    },
  };
}

async function readNumbers(session: Session): Promise<KapsuleNumbers[]> {
  const counters = await session.all<Counter>(`
    SELECT kapsule, kapsule_id AS "kapsuleId", total, reloaded, deleted, last_change AS "lastChange",
      reloaded_through AS "reloadedThrough" FROM kapsule_data.granule_counts`);
  const days = await session.all<DayChanges & { kapsule: number }>(
    'SELECT kapsule, day, changes FROM kapsule_data.granule_days ORDER BY day',
  );
  const byKapsule = Map.groupBy(days, ({ kapsule }) => kapsule);
  return counters.map(({ kapsule, ...numbers }) => ({
    ...numbers,
    days: (byKapsule.get(kapsule) ?? []).map(({ day, changes }) => ({ day, changes })),
  }));
}

async function* readGranules(connections: Connections, kapsuleId: string): GranuleBatches {
  const counter = await connections.read((session) => findCounter(session, kapsuleId));
  if (!counter) return;
  for (const deletion of ['IS NULL', 'IS NOT NULL']) {
    const sql = `
      SELECT g.id, ${KEY} AS key, g."user", g.data, g.created_at AS "createdAt", g.updated_at AS "updatedAt", g.version,
        g.change, g.deleted_at AS "deletedAt", g.deleted_by AS "deletedBy",
        CASE WHEN g.deleted_at IS NOT NULL THEN d.change END AS deletion
      FROM kapsule_data.granules g LEFT JOIN kapsule_data.granule_deletions d ON d.id = g.id
      WHERE g.kapsule = $1 AND g.change > $2 AND g.deleted_at ${deletion}
      ORDER BY g.change LIMIT ${TRANSFER_BATCH_ROWS}`;
    for (let after = 0; ; ) {
      const batch = await connections.read(async (session) => {
        const rows = await session.all<Row>(sql, counter.kapsule, after);
        return withHistory(session, counter, rows);
      });
      if (batch.length === 0) break;
      yield batch;
      after = batch.at(-1)?.change ?? after;
    }
  }
}

async function withHistory(session: Session, { kapsule }: Counter, rows: Row[]): Promise<WholeGranule[]> {
  const states = await session.all<EarlierState & { id: string }>(
    `SELECT id, version, "user", data, updated_at AS "updatedAt", deleted_at AS "deletedAt",
       deleted_by AS "deletedBy", restored_by AS "restoredBy"
     FROM kapsule_data.granule_history WHERE kapsule = $1 AND id = ANY($2) ORDER BY id, version`,
    kapsule,
    rows.map(({ id }) => id),
  );
  const byId = Map.groupBy(states, ({ id }) => id);
  return rows.map((row) => ({
    ...row,
    history: (byId.get(row.id) ?? []).map(earlierState),
  }));
}

async function writeGranules(
  write: (work: (session: Session) => Promise<void>) => Promise<void>,
  { kapsuleId, days, ...numbers }: KapsuleNumbers,
  batches: GranuleBatches,
): Promise<void> {
  let kapsule = 0;
  let lastAt = '';
  await write(async (session) => {
    const made = await session.get<{ kapsule: number }>(
      'INSERT INTO kapsule_data.granule_counts (kapsule_id) VALUES ($1) RETURNING kapsule',
      kapsuleId,
    );
    kapsule = made?.kapsule ?? 0;
  });
  for await (const batch of batches) {
    await write((session) => insert(session, kapsule, batch));
    for (const { updatedAt } of batch) lastAt = updatedAt > lastAt ? updatedAt : lastAt;
  }
  await write(async (session) => {
    await session.run(
      `INSERT INTO kapsule_data.granule_days (kapsule, day, changes)
       SELECT $1, day, changes FROM unnest($2::text[], $3::bigint[]) AS given (day, changes)`,
      kapsule,
      days.map(({ day }) => day),
      days.map(({ changes }) => changes),
    );
    const { total, reloaded, deleted, lastChange, reloadedThrough } = numbers;
    await session.run(
      `UPDATE kapsule_data.granule_counts SET total = $2, reloaded = $3, deleted = $4, last_change = $5,
         reloaded_through = $6, last_at = $7 WHERE kapsule = $1`,
      kapsule,
      total,
      reloaded,
      deleted,
      lastChange,
      reloadedThrough,
      lastAt,
    );
  });
}

async function insert(session: Session, kapsule: number, batch: readonly WholeGranule[]): Promise<void> {
  const inputs = new Inputs();
  const rows = batch.map((granule) => {
    const { place, long_key, search } = inputs.add(
      [granule.key, granule.user, granule.data, null, null],
      true,
    );
    return { ...granule, place: `${prefixOf(kapsule)}${place}`, long_key, search };
  });
  const columns = (names: readonly (keyof (typeof rows)[number])[]) =>
    names.map((name) => rows.map((row) => row[name]));
  await session.run(
    `INSERT INTO kapsule_data.granules (kapsule, id, version, change, created_at, updated_at, deleted_at, deleted_by,
       place, long_key, "user", data, search)
     SELECT $1, given.* FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[]) AS given`,
    kapsule,
    ...columns(['id', 'version', 'change', 'createdAt', 'updatedAt', 'deletedAt', 'deletedBy']),
    ...columns(['place', 'long_key', 'user', 'data', 'search']),
  );
  const deleted = batch.filter(({ deletion }) => deletion !== null);
  await session.run(
    `INSERT INTO kapsule_data.granule_deletions (id, kapsule, change)
     SELECT id, $1, change FROM unnest($2::text[], $3::bigint[]) AS given (id, change)`,
    kapsule,
    deleted.map(({ id }) => id),
    deleted.map(({ deletion }) => deletion),
  );
  const states = batch.flatMap(({ id, history }) => history.map((state) => ({ id, ...state })));
  const earlier = (name: keyof (typeof states)[number]) => states.map((state) => state[name]);
  await session.run(
    `INSERT INTO kapsule_data.granule_history (kapsule, id, version, updated_at, deleted_at, deleted_by, restored_by,
       "user", data)
     SELECT $1, given.* FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::text[], $9::text[]) AS given`,
    kapsule,
    ...(['id', 'version', 'updatedAt', 'deletedAt', 'deletedBy', 'restoredBy', 'user', 'data'] as const).map(
      earlier,
    ),
  );
}
