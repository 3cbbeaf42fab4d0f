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
import { verdict } from '../verdict.ts';

/**
 * Measures exports over HTTP on the embedded store and on PostgreSQL, compared with a handler that sends the CSV as the
 * database formats it, and with one that formats nothing. Rounds alternate; prints medians, ratios and goals. `exports embedded` or `exports postgres` measures
 * one. KAPTAIN_BENCH_ROWS and KAPTAIN_BENCH_ROUNDS set the size. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const ROUNDS = Number(process.env['KAPTAIN_BENCH_ROUNDS'] ?? 5);
const GOALS = { csvRatio: 0.8, csvMB: 150, qvdSeconds: (6 * ROWS) / 1_000_000, qvdMB: 400 };

interface Run {
  ms: number[];
  cpuMs: number[];
  growthMB: number[];
}
const newRun = (): Run => ({ ms: [], cpuMs: [], growthMB: [] });
const seconds = (values: readonly number[]) => (median(values) / 1000).toFixed(2);
const shown = ({ ms, cpuMs }: Run) => `${seconds(ms)} s (CPU ${seconds(cpuMs)} s)`;

async function measureService(run: Run, service: Child, work: () => Promise<unknown>): Promise<void> {
  service.tell('watch');
  run.ms.push(await timed(work));
  const { cpuMs, growthMB } = await service.ask<{ cpuMs: number; growthMB: number }>('report');
  run.cpuMs.push(cpuMs);
  run.growthMB.push(growthMB);
}

async function measure(name: string, bench: Bench, service: Child, bare: Child, bareUrl: string, id: string) {
  const [csv, qvd, formatted, joined] = [newRun(), newRun(), newRun(), newRun()];
  const exported = async (format: string) =>
    drained(await send(bench, `/api/kapsule/${id}/export?format=${format}`));
  const sent = async (format: string) => drained(await send({ url: bareUrl, token: '' }, `/${format}/${id}`));
  const measureBare = async (run: Run, format: string) => {
    run.ms.push(await timed(() => sent(format)));
    run.cpuMs.push((await bare.ask<{ cpuMs: number }>('cpu')).cpuMs);
  };
  await Promise.all([sent('joined'), exported('csv')]);
  await bare.ask('cpu');
  for (let round = 0; round < ROUNDS; round += 1) {
    await measureBare(formatted, 'csv');
    await measureBare(joined, 'joined');
    await measureService(csv, service, () => exported('csv'));
    await measureService(qvd, service, () => exported('qvd'));
  }
  console.log(
    `${name}, ${ROWS} rows: formatted once ${shown(formatted)}, not formatted ${shown(joined)}, CSV ${shown(csv)}, QVD ${shown(qvd)}`,
  );
  verdict(
    'CSV, share of a handler that formats once',
    median(formatted.ms) / median(csv.ms),
    GOALS.csvRatio,
    { isLargerBetter: true },
  );
  console.log(`         of one that does not format: ${(median(joined.ms) / median(csv.ms)).toFixed(2)}`);
  verdict('growth of memory during CSV, MB', Math.max(...csv.growthMB), GOALS.csvMB);
  verdict('QVD, seconds', median(qvd.ms) / 1000, GOALS.qvdSeconds);
  verdict('growth of memory during QVD, MB', Math.max(...qvd.growthMB), GOALS.qvdMB);
}

async function onDatabase(
  name: string,
  folder: string,
  env: Record<string, string>,
  open: () => Promise<Store>,
  bareArguments: string[],
): Promise<void> {
  writeFileSync(join(folder, 'settings.json'), '{"settings":{},"system":{"logLevel":"warn"}}');
  const [service, hello] = await Child.start('./server.ts', [], {
    ...env,
    KAPTAIN_DATA_DIR: folder,
    KAPTAIN_PORT: '0',
  });
  const [bare, bareHello] = await Child.start('../exports/bare.ts', bareArguments, {});
  const bench = await logIn((hello as { url: string }).url);
  const id = await newKapsule(bench, 'Exported');
  const store = await open();
  await store.granules.importAll(id, comments(ROWS, 'ORD'), async () => undefined);
  await untilIdle(store);
  await store.close();
  await measure(name, bench, service, bare, (bareHello as { url: string }).url, id);
  await bare.stop('stop');
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

async function onEmbedded(folder: string): Promise<void> {
  const file = join(folder, 'kaptain.db');
  await onDatabase('embedded', folder, {}, () => openEmbeddedStore({ file }), ['embedded', file]);
}

async function onPostgresql(folder: string): Promise<void> {
  const server = await startPostgres({ fsync: true });
  try {
    const open = () => openPostgresStore(server.config);
    await onDatabase('PostgreSQL', folder, onPostgres(server.config), open, ['postgres', server.url]);
  } finally {
    await server.stop();
  }
}

const [wanted] = process.argv.slice(2);
if (wanted !== 'postgres') await inFolder(onEmbedded);
if (wanted !== 'embedded') await inFolder(onPostgresql);
process.exit();
