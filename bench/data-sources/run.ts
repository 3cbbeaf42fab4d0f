import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { GranuleInput } from '@kaptain/contract/granule-records';
import { openDataSource } from '@kaptain/data-sources';
import { mysqlBlock, postgresqlBlock } from '../../tools/test-servers/blocks.ts';
import { hasMariadb, startMariadb } from '../../tools/test-servers/mariadb.ts';
import { hasPostgres, startPostgres } from '../../tools/test-servers/postgres.ts';
import { comments } from '../granules-store/rows.ts';
import { median, timed } from '../granules-store/watch.ts';
import { verdict } from '../verdict.ts';
import { binding } from './binding.ts';
import { type Fastest, mariadbFastest, postgresFastest } from './fastest.ts';

/**
 * Measures data sources: a bulk upsert compared with the driver's fastest bulk load into a bare table (the key, the
 * fields and the author), in alternating rounds; and the memory of a streamed read. It also prints the bulk load into our
 * layout. KAPTAIN_BENCH_ROWS sets the number of rows. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 100_000);
const ROUNDS = 9;
const GOALS = { bulkRatio: 0.4, streamMB: 100 };

const rate = (ms: number) => `${Math.round((ROWS / ms) * 1000).toLocaleString('en-US')} rows/s`;

interface BenchDatabase {
  type: 'postgresql' | 'mysql';
  block: Record<string, unknown>;
}

function streamMemory(database: BenchDatabase, table: string): { sizeMB: number; aboveMB: number } {
  const script = join(import.meta.dirname, 'stream-memory.ts');
  // The heap is smaller than the rows, so that a stream that collects them fails.
  const args = ['--max-old-space-size=24', script, JSON.stringify({ ...database, table })];
  const printed = execFileSync(process.execPath, args);
  return JSON.parse(printed.toString()) as { sizeMB: number; aboveMB: number };
}

async function measure(name: string, database: BenchDatabase, fastest: Fastest): Promise<void> {
  console.log(`${name}, ${ROWS} rows`);
  const source = openDataSource(database.type, database.block, { allowedFolders: [] });
  const rows: GranuleInput[] = [...comments(ROWS, 'ORD')];
  const changed = rows.map((row) => ({ ...row, data: { ...row.data, Amount: 1 } }));
  const times = { ours: [], same: [], bare: [], again: [] } as Record<string, number[]>;
  const time = async (what: string, work: () => Promise<unknown>) => times[what]?.push(await timed(work));
  for (let round = 0; round < ROUNDS; round += 1) {
    const table = `bench_${round}`;
    const plain = `plain_${round}`;
    await source.ensureTable(binding(plain));
    await time('same', () => fastest.load(plain, rows));
    await source.dropTable(plain, false);
    await time('bare', () => fastest.loadBare(rows));
    await source.ensureTable(binding(table));
    await time('ours', () => source.bulkUpsert(binding(table), rows));
    await time('again', () => source.bulkUpsert(binding(table), changed));
    if (round < ROUNDS - 1) await source.dropTable(table, false);
  }
  await source.close();
  const {
    ours = 0,
    same = 0,
    bare = 0,
    again = 0,
  } = Object.fromEntries(Object.entries(times).map(([what, values]) => [what, median(values)]));
  console.log(`  ${fastest.what} into a bare table ${rate(bare)}, into our layout ${rate(same)}`);
  console.log(`  bulk upsert: new rows ${rate(ours)}, changed rows ${rate(again)}`);
  verdict('new rows, share of the bulk load into a bare table', bare / ours, GOALS.bulkRatio, {
    isLargerBetter: true,
  });
  console.log(`         (share of the bulk load into our layout: ${(same / ours).toFixed(2)})`);
  const { sizeMB, aboveMB } = streamMemory(database, `bench_${ROUNDS - 1}`);
  verdict(`MB above the start while ${sizeMB.toFixed(0)} MB are streamed`, aboveMB, GOALS.streamMB);
}

if (hasPostgres()) {
  const server = await startPostgres();
  const block = postgresqlBlock(server);
  const fastest = await postgresFastest(server.config);
  await measure('PostgreSQL', { type: 'postgresql', block }, fastest);
  await fastest.close();
  await server.stop();
}
if (hasMariadb()) {
  const server = await startMariadb();
  const block = mysqlBlock(server);
  const fastest = await mariadbFastest(server.config);
  await measure('MariaDB', { type: 'mysql', block }, fastest);
  await fastest.close();
  await server.stop();
}
