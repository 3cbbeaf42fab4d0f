import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { GranuleInput } from '@kaptain/contract/granule-records';
import { openDataSource } from '@kaptain/data-sources';
import { mysqlBlock, postgresqlBlock } from '../../tools/test-servers/blocks.ts';
import { hasMariadb, startMariadb } from '../../tools/test-servers/mariadb.ts';
import { hasPostgres, startPostgres } from '../../tools/test-servers/postgres.ts';
import { mixedRows } from '../kit/mixed.ts';
import { roundsOr, rowsOr } from '../kit/options.ts';
import { besideOthers } from '../kit/others.ts';
import { endSection, figure, note } from '../kit/report.ts';
import { median, timed } from '../kit/times.ts';
import { binding } from './binding.ts';
import { type Fastest, mariadbFastest, postgresFastest } from './fastest.ts';

/*
 * Data sources: a bulk upsert compared with the driver's fastest bulk load into a bare table (the key, the fields and the author)
 * and into our layout, in alternating rounds; the memory of a streamed read; and another person's pages beside an upsert.
 */
const ROWS = rowsOr(100_000);
const ROUNDS = roundsOr(9);
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
  console.log(`  on ${name}, ${ROWS} rows`);
  const source = openDataSource(database.type, database.block, { allowedFolders: [] });
  const rows: GranuleInput[] = [...mixedRows(ROWS)];
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
  const small = binding('others');
  await source.ensureTable(small);
  await source.bulkUpsert(small, rows.slice(0, 1_000));
  const page = () => source.page(small, { sort: 'key', descending: false, offset: 0, limit: 100 });
  await besideOthers('a bulk upsert', page, () => source.bulkUpsert(binding(`bench_${ROUNDS - 1}`), rows));
  await source.close();
  const of = (what: string) => median(times[what] ?? []);
  note(fastest.what, `into a bare table ${rate(of('bare'))}, into our layout ${rate(of('same'))}`);
  note('bulk upsert', `new rows ${rate(of('ours'))}, changed rows ${rate(of('again'))}`);
  const share = of('bare') / of('ours');
  figure('new rows, share of the bulk load into a bare table', share, { atLeast: GOALS.bulkRatio });
  figure('new rows, share of the bulk load into our layout', of('same') / of('ours'));
  const { sizeMB, aboveMB } = streamMemory(database, `bench_${ROUNDS - 1}`);
  figure('memory above the start during a stream', aboveMB, {
    atMost: GOALS.streamMB,
    unit: ' MB',
    details: `${sizeMB.toFixed(0)} MB of rows`,
  });
  endSection(['Data sources', name], `${ROWS} rows`);
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
