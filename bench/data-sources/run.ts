import { setTimeout } from 'node:timers/promises';
import type { GranuleInput } from '@kaptain/contract/granule-records';
import { type Binding, type DataSource, openDataSource } from '@kaptain/data-sources';
import { hasMariadb, startMariadb } from '../../tools/test-servers/mariadb.ts';
import { hasPostgres, startPostgres } from '../../tools/test-servers/postgres.ts';
import { comments } from '../granules-store/rows.ts';
import { median, timed } from '../granules-store/watch.ts';
import { type Fastest, mariadbFastest, postgresFastest } from './fastest.ts';

/**
 * What is claimed about data sources: a bulk upsert against the driver's own fastest way into a table of the same
 * layout, taking turns, and the memory of a streamed read. KAPTAIN_BENCH_ROWS makes it smaller. Exit code 1
 * when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 100_000);
const ROUNDS = 5;
const GOALS = { bulkRatio: 0.4, streamMB: 100 };

let missed = 0;
function verdict(label: string, value: number, goal: number, larger: boolean): void {
  const isReached = larger ? value >= goal : value <= goal;
  if (!isReached) missed += 1;
  console.log(
    `  ${isReached ? 'ok    ' : 'MISSED'} ${label}: ${value.toFixed(2)} (goal ${larger ? '>=' : '<='} ${goal})`,
  );
}

const binding = (table: string): Binding => ({
  table,
  keyField: 'OrderId',
  fields: [
    { name: 'Comment', type: 'text' },
    { name: 'Amount', type: 'number' },
    { name: 'Status', type: 'text' },
  ],
});

const rate = (ms: number) => `${Math.round((ROWS / ms) * 1000).toLocaleString('en-US')} rows/s`;

/** The most memory above the start while a stream is read by somebody slow. */
async function streamMemory(source: DataSource, table: string): Promise<number> {
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  let [peak, chunks] = [before, 0];
  for await (const _ of source.stream(binding(table), {})) {
    if (++chunks % 20 === 0) await setTimeout(1);
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  return (peak - before) / 2 ** 20;
}

async function measure(name: string, source: DataSource, fastest: Fastest): Promise<void> {
  console.log(`${name}, ${ROWS} rows`);
  const rows: GranuleInput[] = [...comments(ROWS, 'ORD')];
  const times = {
    ours: [] as number[],
    fastest: [] as number[],
    bare: [] as number[],
    again: [] as number[],
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    const table = `bench_${round}`;
    const plain = `plain_${round}`;
    await source.ensureTable(binding(plain));
    times.fastest.push(await timed(() => fastest.load(plain, rows)));
    await source.dropTable(plain, false);
    times.bare.push(await timed(() => fastest.loadBare(rows)));
    await source.ensureTable(binding(table));
    times.ours.push(await timed(() => source.bulkUpsert(binding(table), rows)));
    const changed = rows.map((row) => ({ ...row, data: { ...row.data, Amount: 1 } }));
    times.again.push(await timed(() => source.bulkUpsert(binding(table), changed)));
    if (round < ROUNDS - 1) await source.dropTable(table, false);
  }
  const [ours, theirs, again] = [median(times.ours), median(times.fastest), median(times.again)];
  console.log(
    `  bulk upsert of new rows: ${rate(ours)}; ${fastest.what}: ${rate(theirs)}; that changes all rows: ${rate(again)}`,
  );
  verdict('new rows against the fastest way of the driver', theirs / ours, GOALS.bulkRatio, true);
  verdict('new rows against that way into a bare table', median(times.bare) / ours, GOALS.bulkRatio, true);
  verdict(
    'memory of a streamed read above the start, MB',
    await streamMemory(source, `bench_${ROUNDS - 1}`),
    GOALS.streamMB,
    false,
  );
}

if (hasPostgres()) {
  const server = await startPostgres();
  const { host, port, user, password, database } = server.config;
  const block = {
    POSTGRE_SERVER: host,
    POSTGRE_PORT: port,
    POSTGRE_USER: user,
    POSTGRE_PASSWORD: password,
    POSTGRE_DATABASE: database,
  };
  const source = openDataSource('postgresql', block, { allowedFolders: [] });
  const fastest = await postgresFastest(server.config);
  await measure('PostgreSQL', source, fastest);
  await fastest.close();
  await source.close();
  await server.stop();
}
if (hasMariadb()) {
  const server = await startMariadb();
  const { host, port, user, database } = server.config;
  const source = openDataSource(
    'mysql',
    { MYSQL_SERVER: host, MYSQL_PORT: port, MYSQL_USER: user, MYSQL_DATABASE: database },
    { allowedFolders: [] },
  );
  const fastest = await mariadbFastest(server.config);
  await measure('MariaDB', source, fastest);
  await fastest.close();
  await source.close();
  await server.stop();
}
process.exitCode = missed > 0 ? 1 : 0;
