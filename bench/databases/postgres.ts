import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openPostgresStore } from '@kaptain/store';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { startPostgres } from '../../tools/test-servers/postgres.ts';
import { Child } from '../kit/child.ts';
import { newFolder, removeFolder } from '../kit/folders.ts';
import { timed } from '../kit/times.ts';
import type { BenchDatabase } from './database.ts';
import { variablesOf } from './variables.ts';

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

/** Smaller kapsules have no index. */
const BEHIND = `
  SELECT count(*)::int AS behind FROM kapsule_data.granule_counts c
  LEFT JOIN kapsule_data.granule_indexed i USING (kapsule)
  WHERE c.total > 20000 AND c.last_change > coalesce(i.through, 0)`;

/** `isFar`: each round trip to the database takes a millisecond more, for the service and for the bare one. */
export async function postgresDatabase(isFar = false): Promise<BenchDatabase> {
  const server = await startPostgres({ fsync: true });
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const proxy = isFar
    ? await Child.start<number>(join(import.meta.dirname, 'delay.ts'), [String(server.config.port)])
    : undefined;
  const port = proxy?.hello ?? server.config.port;
  const folder = newFolder();
  return {
    kind: isFar ? 'far' : 'postgres',
    name: isFar ? 'PostgreSQL, 1 ms away' : 'PostgreSQL',
    folder,
    env: variablesOf('postgres', { ...server.config, port }),
    pids: [server.pid],
    bare: {
      script: join(import.meta.dirname, 'bare-postgres.ts'),
      args: [server.url.replace(`:${server.config.port}/`, `:${port}/`)],
      makesJson: true,
    },
    open: () => openPostgresStore(server.config),
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
    unindexed: async () => Number((await client.query<{ behind: number }>(BEHIND)).rows[0]?.behind),
    vacuum: () => client.query('VACUUM ANALYZE kapsule_data.granules'),
    async [Symbol.asyncDispose]() {
      await proxy?.stop();
      await client.end();
      await server.stop();
      removeFolder(folder);
    },
  };
}
