import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore, openPostgresStore, type Store } from '@kaptain/store';
import { onPostgres } from '../../apps/service/src/testing/service-on.ts';
import { startPostgres } from '../../tools/test-servers/postgres.ts';
import { untilIdle } from '../embedded/database.ts';
import { type Bench, drained, send } from '../granules-http/client.ts';
import { Child } from '../granules-http/processes.ts';
import { logIn, newKapsule } from '../granules-http/set-up.ts';
import { comments } from '../granules-store/rows.ts';
import { median, timed } from '../granules-store/watch.ts';
import { during, idleCalls, judgeOthers } from '../others-beside.ts';
import { verdict } from '../verdict.ts';

/**
 * Measures exports over HTTP on the embedded store and on PostgreSQL, compared with a read of the same rows as JSON, and
 * another person's list of kapsules beside each. Rounds alternate; prints medians, ratios and goals. `exports embedded` or
 * `exports postgres` measures one. KAPTAIN_BENCH_ROWS and KAPTAIN_BENCH_ROUNDS set the size. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['KAPTAIN_BENCH_ROUNDS'] ?? 5);
const GOALS = { toRead: 3, csvMB: 150, qvdMB: 400 };

const paths = { JSON: 'sql/read?format=json', CSV: 'export?format=csv', QVD: 'export?format=qvd' };
type Format = keyof typeof paths;
const formats = Object.keys(paths) as Format[];

interface Run {
  ms: number[];
  cpuMs: number[];
  growthMB: number[];
  others: number[];
}
const newRun = (): Run => ({ ms: [], cpuMs: [], growthMB: [], others: [] });
const seconds = (values: readonly number[]) => (median(values) / 1000).toFixed(2);

async function measure(name: string, bench: Bench, service: Child, id: string): Promise<void> {
  const other = async () => drained(await send(bench, '/api/kapsule'));
  const runs = { JSON: newRun(), CSV: newRun(), QVD: newRun() };
  const idle: number[] = [];
  // The first ones start threads and compile code.
  for (const format of formats) await drained(await send(bench, `/api/kapsule/${id}/${paths[format]}`));
  for (let round = 0; round < ROUNDS; round += 1) {
    idle.push(...(await idleCalls(other)));
    for (const format of formats) {
      const run = runs[format];
      service.tell('watch');
      const heavy = timed(async () => drained(await send(bench, `/api/kapsule/${id}/${paths[format]}`)));
      const { times, result } = await during(heavy, other);
      const { cpuMs, growthMB } = await service.ask<{ cpuMs: number; growthMB: number }>('report');
      run.ms.push(result);
      run.others.push(...times);
      run.cpuMs.push(cpuMs);
      run.growthMB.push(growthMB);
    }
  }
  console.log(`  on ${name}, ${ROWS} rows`);
  for (const format of formats) {
    const { ms, cpuMs, others } = runs[format];
    console.log(`         ${format}: ${seconds(ms)} s, processor time of the service ${seconds(cpuMs)} s`);
    if (format === 'JSON') continue;
    const ratios = ms.map((value, round) => value / (runs.JSON.ms[round] ?? Number.NaN));
    verdict(`  ${format} to sql/read`, median(ratios), GOALS.toRead, { unit: 'x' });
    judgeOthers(format, idle, others);
  }
  verdict('growth of memory during CSV, MB', Math.max(...runs.CSV.growthMB), GOALS.csvMB);
  verdict('growth of memory during QVD, MB', Math.max(...runs.QVD.growthMB), GOALS.qvdMB);
}

async function onDatabase(
  name: string,
  folder: string,
  env: Record<string, string>,
  open: () => Promise<Store>,
): Promise<void> {
  writeFileSync(join(folder, 'settings.json'), '{"settings":{},"system":{"logLevel":"warn"}}');
  const [service, hello] = await Child.start('./server.ts', [], {
    ...env,
    KAPTAIN_DATA_DIR: folder,
    KAPTAIN_PORT: '0',
  });
  const bench = await logIn((hello as { url: string }).url);
  const id = await newKapsule(bench, 'Exported');
  const store = await open();
  await store.granules.importAll(id, comments(ROWS, 'ORD'), async () => undefined);
  await untilIdle(store);
  await store.close();
  await measure(name, bench, service, id);
  await service.stop('stop');
}

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'exports-bench-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const onEmbedded = (folder: string): Promise<void> =>
  onDatabase('the embedded store', folder, {}, () => openEmbeddedStore({ file: join(folder, 'kaptain.db') }));

async function onPostgresql(folder: string): Promise<void> {
  const server = await startPostgres({ fsync: true });
  try {
    await onDatabase('PostgreSQL', folder, onPostgres(server.config), () => openPostgresStore(server.config));
  } finally {
    await server.stop();
  }
}

const [wanted] = process.argv.slice(2);
if (wanted !== 'postgres') await inFolder(onEmbedded);
if (wanted !== 'embedded') await inFolder(onPostgresql);
process.exit();
