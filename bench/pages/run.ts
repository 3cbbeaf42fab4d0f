import type { GranulePageQuery, Store } from '@kaptain/store';
import { embeddedDatabase } from '../embedded/database.ts';
import { comments } from '../granules-store/rows.ts';
import { median, timed } from '../granules-store/watch.ts';
import { postgresDatabase } from '../postgres/database.ts';
import type { BenchDatabase } from '../stores/database.ts';

/**
 * Measures deep pages and the first page of common words on PostgreSQL, beside the embedded store. Both alternate; prints
 * medians and goals. `pages postgres` leaves the embedded store out. KAPTAIN_BENCH_ROWS sets the number of rows. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = 9;
const GOALS = { deepMs: 30, commonMs: 100 };
const SIZE = 100;

const page = (query: Partial<GranulePageQuery>): GranulePageQuery => ({
  sort: 'key',
  descending: false,
  offset: 0,
  limit: SIZE,
  ...query,
});
/** Page 9,000 of 10,000, and the farthest from both ends, which has no goal. */
const deep = (['key', 'user', 'createdAt', 'updatedAt', 'reloaded'] as const).flatMap((sort) => [
  { label: `page 9,000 by ${sort}`, query: page({ sort, offset: 0.9 * ROWS - SIZE }), goal: GOALS.deepMs },
  { label: `page 5,000 by ${sort}`, query: page({ sort, offset: 0.5 * ROWS - SIZE }), goal: undefined },
]);
const common = ['customer', 'Monday follow', 'userid=u7', 'e'].flatMap((q) =>
  (['key', 'updatedAt'] as const).map((sort) => ({
    label: `"${q}" by ${sort}`,
    query: page({ q, sort }),
    goal: GOALS.commonMs,
  })),
);

let missed = 0;
async function measure(postgres: Store, embedded: Store | undefined): Promise<void> {
  for (const { label, query, goal } of [...deep, ...common]) {
    const [onPostgres, onEmbedded]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      onPostgres.push(await timed(() => postgres.granules.page('large', query)));
      if (embedded) onEmbedded.push(await timed(() => embedded.granules.page('large', query)));
    }
    const isMissed = goal !== undefined && median(onPostgres) > goal;
    if (isMissed) missed += 1;
    const word = goal === undefined ? '      ' : isMissed ? 'MISSED' : 'ok    ';
    const wanted = goal === undefined ? [] : [`goal <= ${goal} ms`];
    const beside = embedded ? [`embedded ${median(onEmbedded).toFixed(1)} ms`] : [];
    console.log(
      `  ${word} ${label}: ${median(onPostgres).toFixed(1)} ms (${[...wanted, ...beside].join('; ')})`,
    );
  }
}

async function filled(database: BenchDatabase): Promise<Store> {
  const store = await database.open();
  await store.granules.importAll('large', comments(ROWS, 'ORD'), async () => undefined);
  await database.settle(store);
  return store;
}

const isPostgresAlone = process.argv[2] === 'postgres';
const databases: BenchDatabase[] = [];
try {
  databases.push(await postgresDatabase(), ...(isPostgresAlone ? [] : [embeddedDatabase()]));
  const stores: Store[] = [];
  for (const database of databases) stores.push(await filled(database));
  await measure(stores[0] as Store, stores[1]);
  await Promise.all(stores.map((store) => store.close()));
} finally {
  for (const database of databases) await database.stop();
}
process.exitCode = missed > 0 ? 1 : 0;
