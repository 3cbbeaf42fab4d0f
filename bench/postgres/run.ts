import { openPostgresStore } from '@kaptain/store';
import { startPostgres } from '../../tools/test-servers/postgres.ts';
import { comments } from '../granules-store/rows.ts';
import { timed } from '../granules-store/watch.ts';
import { copySeconds, measureSearches, upsertSeconds } from './granules.ts';
import { measureLists } from './lists.ts';

/**
 * What is claimed about the service on PostgreSQL, each as a ratio to what one would write by hand on the same server.
 * What is compared takes turns; medians are printed. KAPTAIN_BENCH_ROWS, KAPTAIN_BENCH_ROUNDS and KAPTAIN_BENCH_SECONDS make it
 * smaller. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const BULK = Math.min(50_000, ROWS);
const ROUNDS = Number(process.env['KAPTAIN_BENCH_ROUNDS'] ?? 5);
const SECONDS = Number(process.env['KAPTAIN_BENCH_SECONDS'] ?? 2);
const GOALS = { listToRows: 2.5, listToJson: 0.8, small: 0.7, bulk: 0.4, search: 20 };

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

let missed = 0;
function verdict(label: string, ratio: number, goal: number, numbers: string): void {
  const isReached = ratio >= goal;
  if (!isReached) missed += 1;
  const word = isReached ? 'ok    ' : 'MISSED';
  console.log(`  ${word} ${label}: ${ratio.toFixed(2)}x (goal >= ${goal}x; ${numbers})`);
}

const server = await startPostgres({ fsync: true });
const store = await openPostgresStore(server.config);
try {
  const { list, rows, json, small, bareSmall } = await measureLists(server, store, ROUNDS, SECONDS);
  const rate = (values: readonly number[]) => `${Math.round(median(values))}/s`;
  const lists = `service ${rate(list)}, rows ${rate(rows)}, json_agg ${rate(json)}`;
  verdict(
    '200 kapsules with authority to a handler row by row',
    median(list) / median(rows),
    GOALS.listToRows,
    lists,
  );
  verdict(
    '200 kapsules with authority to json_agg without login',
    median(list) / median(json),
    GOALS.listToJson,
    lists,
  );
  const ones = `service ${rate(small)}, bare ${rate(bareSmall)}`;
  verdict('one kapsule to a handler without login', median(small) / median(bareSmall), GOALS.small, ones);

  const [upserts, copies]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    upserts.push(BULK / (await upsertSeconds(store, `bulk${round}`, BULK)));
    copies.push(BULK / (await copySeconds(server.url, `bulk${round}`)));
  }
  const bulk = `upsert ${rate(upserts)}, COPY ${rate(copies)} rows`;
  verdict(`bulk upsert of ${BULK} rows to COPY`, median(upserts) / median(copies), GOALS.bulk, bulk);

  const ms = await timed(() =>
    store.granules.importAll('large', comments(ROWS, 'ORD'), async () => undefined),
  );
  console.log(`  import of ${ROWS} rows in one piece: ${Math.round((ROWS / ms) * 1000)} rows/s`);
  for (const { q, found, scan } of await measureSearches(server.url, store, 'large')) {
    const numbers = `${found.toFixed(1)} ms, scan ${scan.toFixed(0)} ms`;
    verdict(`search for "${q}" in ${ROWS} rows to a scan`, scan / found, GOALS.search, numbers);
  }
} finally {
  await store.close();
  await server.stop();
}
process.exitCode = missed === 0 ? 0 : 1;
