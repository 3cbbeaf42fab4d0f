import { pipeline } from 'node:stream/promises';
import type { Store } from '@kaptain/store';
import { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { comments } from '../granules-store/rows.ts';
import { timed } from '../granules-store/watch.ts';

const SEARCHES = ['ORD-0004242', 'ORD-00499', 'not there'];
const query = { sort: 'key', descending: false, offset: 0, limit: 100 } as const;

/** The finished rows of a kapsule, into a table with the same indexes: no database writes them any faster. */
export async function copySeconds(url: string, kapsuleId: string): Promise<number> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    'DROP TABLE IF EXISTS bench_copy; CREATE TABLE bench_copy (LIKE kapsule_data.granules INCLUDING ALL)',
  );
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(E'\\t', g.id, g.kapsule, version, change, created_at, updated_at, '\\N', '\\N', place, '\\N', "user",
       replace(data, '\\', '\\\\'), replace(search, E'\\n', '\\n')) AS line
     FROM kapsule_data.granules g JOIN kapsule_data.granule_counts c USING (kapsule) WHERE c.kapsule_id = $1`,
    [kapsuleId],
  );
  const text = rows.map(({ line }) => `${line}\n`).join('');
  const ms = await timed(() => pipeline([text], client.query(copyFrom('COPY bench_copy FROM STDIN'))));
  await client.end();
  return ms / 1000;
}

export async function upsertSeconds(store: Store, kapsuleId: string, rows: number): Promise<number> {
  return (await timed(() => store.granules.bulkUpsert(kapsuleId, comments(rows, kapsuleId)))) / 1000;
}

/** Each search by the store, and by looking at every row; milliseconds. */
export async function measureSearches(
  url: string,
  store: Store,
  kapsuleId: string,
): Promise<{ q: string; found: number; scan: number }[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    'SET enable_bitmapscan = off; SET enable_indexscan = off; SET max_parallel_workers_per_gather = 0',
  );
  const figures: { q: string; found: number; scan: number }[] = [];
  for (const q of SEARCHES) {
    await store.granules.page(kapsuleId, { ...query, q });
    const found = await timed(() => store.granules.page(kapsuleId, { ...query, q }));
    const scan = await timed(() =>
      client.query(
        `SELECT g.id FROM kapsule_data.granules g JOIN kapsule_data.granule_counts c USING (kapsule)
         WHERE c.kapsule_id = $1 AND g.search LIKE '%' || lower($2) || '%' ORDER BY place LIMIT 100`,
        [kapsuleId, q],
      ),
    );
    figures.push({ q, found, scan });
  }
  await client.end();
  return figures;
}
