import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { openPostgresStore } from '@kaptain/store';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { onPostgres } from '../../apps/service/src/testing/service-on.ts';
import { startPostgres } from '../../tools/test-servers/postgres.ts';
import { timed } from '../granules-store/watch.ts';
import type { BenchDatabase } from '../stores/database.ts';

/** A copy of the kapsules as rows. */
const AS_ROWS = `
  CREATE SCHEMA bench;
  CREATE TABLE bench.kapsules AS
    SELECT id, d ->> 'name' AS name, d ->> 'database' AS database, d ->> 'tableName' AS table_name,
      d ->> 'table' AS bound_table, d ->> 'keyField' AS key_field, d ->> 'owner' AS owner,
      (d ->> 'createdAt')::timestamptz AS created_at, (d ->> 'updatedAt')::timestamptz AS updated_at
    FROM (SELECT id, doc::json AS d FROM kaptain.kapsules) k;
  ALTER TABLE bench.kapsules ADD PRIMARY KEY (id);
  CREATE TABLE bench.fields AS
    SELECT k.id AS kapsule_id, f ->> '_id' AS field_id, f ->> 'name' AS field_name, f ->> 'type' AS field_type
    FROM kaptain.kapsules k, json_array_elements(k.doc::json -> 'fields') f;
  ALTER TABLE bench.fields ADD PRIMARY KEY (kapsule_id, field_id);
  ANALYZE`;

const TABLE =
  'DROP TABLE IF EXISTS bench_copy; CREATE TABLE bench_copy (LIKE kapsule_data.granules INCLUDING ALL)';

const LINES = `
  SELECT concat_ws(E'\\t', g.id, g.kapsule, version, change, created_at, updated_at, '\\N', '\\N', place, '\\N', "user",
    replace(data, '\\', '\\\\'), replace(search, E'\\n', '\\n')) AS line
  FROM kapsule_data.granules g JOIN kapsule_data.granule_counts c USING (kapsule) WHERE c.kapsule_id = $1`;

const NO_INDEX =
  'SET enable_bitmapscan = off; SET enable_indexscan = off; SET max_parallel_workers_per_gather = 0';

const SCAN = `
  SELECT g.id FROM kapsule_data.granules g JOIN kapsule_data.granule_counts c USING (kapsule)
  WHERE c.kapsule_id = $1 AND g.search LIKE '%' || $2 || '%' ORDER BY place LIMIT 100`;

const VISIBLE = `
  SELECT relpages > 0 AND relallvisible >= 0.9 * relpages AS "isVisible" FROM pg_class WHERE oid = 'kapsule_data.granules'::regclass`;

/** Waits until the server has vacuumed the new rows by itself, which it begins to do within a minute. */
async function untilVacuumed(client: Client): Promise<void> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; await setTimeout(1_000)) {
    const { rows } = await client.query<{ isVisible: boolean }>(VISIBLE);
    if (rows[0]?.isVisible) return;
  }
}

export async function postgresDatabase(): Promise<BenchDatabase> {
  const server = await startPostgres({ fsync: true });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
  return {
    name: `PostgreSQL ${rows[0]?.server_version}`,
    folder,
    env: onPostgres(server.config),
    open: () => openPostgresStore(server.config),
    bare: { script: join(import.meta.dirname, 'server.ts'), args: [server.url], makesJson: true },
    prepareBare: async () => void (await client.query(AS_ROWS)),
    async writeRows(kapsuleId) {
      await client.query(TABLE);
      const { rows: found } = await client.query<{ line: string }>(LINES, [kapsuleId]);
      const text = found.map(({ line }) => `${line}\n`).join('');
      return timed(() => pipeline([text], client.query(copyFrom('COPY bench_copy FROM STDIN'))));
    },
    async scan(kapsuleId, q) {
      await client.query(NO_INDEX);
      let count = 0;
      const ms = await timed(async () => {
        count = (await client.query(SCAN, [kapsuleId, q])).rows.length;
      });
      await client.query('RESET ALL');
      return { ms, rows: count };
    },
    settle: () => untilVacuumed(client),
    async stop() {
      await client.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
