import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { comments } from '../granules-store/rows.ts';
import { median, p95, timed } from '../granules-store/watch.ts';
import { during, idleCalls, judgeOthers } from '../others-beside.ts';
import { verdict } from '../verdict.ts';
import { type Bench, drained, send } from './client.ts';
import { Child } from './processes.ts';
import { logIn, newKapsule } from './set-up.ts';

/**
 * Measures granules over HTTP, compared with the store on the same database. Rounds alternate, so that other load slows
 * both; prints medians and ratios. KAPTAIN_BENCH_ROWS sets the number of rows. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const BULK = Math.min(100_000, ROWS);
const BATCH = 5_000;
const ROUNDS = 5;
const GOALS = { bulk: 0.4, stream: 0.8, streamMB: 150, searchP95: 100, stallMs: 50, import: 0.4 };
const SEARCHES = [
  'Überraschung',
  '要確認',
  'cust',
  'Monday follow review',
  'userid=u49',
  '9876',
  'not there',
];

const perSecond = (rows: number, ms: number) => `${Math.round((rows / ms) * 1000)} rows/s`;

/** Sends prepared bodies, two at a time, like a loader. */
async function save(bench: Bench, id: string, bodies: readonly string[]): Promise<void> {
  const left = [...bodies];
  const worker = async () => {
    for (let body = left.shift(); body !== undefined; body = left.shift())
      await drained(
        await send(bench, `/api/kapsule/${id}/granules`, { method: 'PUT', type: 'application/json', body }),
      );
  };
  await Promise.all([worker(), worker()]);
}

function bodiesOf(rows: number): string[] {
  const all = [...comments(rows, 'ORD')].map(({ key, data }) => ({ key, data }));
  return Array.from({ length: Math.ceil(rows / BATCH) }, (_, place) =>
    JSON.stringify({ granules: all.slice(place * BATCH, (place + 1) * BATCH) }),
  );
}

async function measureBulk(bench: Bench, raw: Child): Promise<void> {
  const bodies = bodiesOf(BULK);
  const [bare, http]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await raw.ask<{ ms: number }>({ job: 'insert', value: String(BULK) })).ms);
    const id = await newKapsule(bench, `Bulk ${round}`);
    http.push(await timed(() => save(bench, id, bodies)));
    await raw.ask({ job: 'settle', value: '' });
  }
  console.log(`bulk: bare ${perSecond(BULK, median(bare))}, HTTP ${perSecond(BULK, median(http))}`);
  verdict('bulk upsert through HTTP, share of the bare insert', median(bare) / median(http), GOALS.bulk, {
    isLargerBetter: true,
  });
}

async function measureImport(bench: Bench, raw: Child): Promise<string> {
  const [uploader] = await Child.start('./uploader.ts', [String(ROWS)], {});
  const { ms: bare } = await raw.ask<{ ms: number }>({ job: 'insert', value: String(ROWS) });
  const id = await newKapsule(bench, 'Imported');
  const other = async () => drained(await send(bench, `/api/kapsule/${id}`));
  const idle = await idleCalls(other);
  const { times, result } = await during(
    uploader.ask<{ ms: number; failure?: string }>({ bench, id }),
    other,
  );
  const { ms, failure } = result;
  if (failure) throw new Error(failure);
  await uploader.stop('stop');
  await raw.ask({ job: 'settle', value: '' });
  idle.push(...(await idleCalls(other)));
  console.log(`QVD import: bare ${perSecond(ROWS, bare)}, HTTP ${perSecond(ROWS, ms)}`);
  verdict('QVD import through HTTP, share of the bare insert', bare / ms, GOALS.import, {
    isLargerBetter: true,
  });
  judgeOthers('the import', idle, times);
  return id;
}

async function measureStream(bench: Bench, raw: Child, server: Child, id: string): Promise<void> {
  const [bare, http, growth]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    bare.push((await raw.ask<{ ms: number }>({ job: 'stream', value: id })).ms);
    server.tell('watch');
    http.push(await timed(async () => drained(await send(bench, `/api/kapsule/${id}/sql/read/internal`))));
    growth.push((await server.ask<{ growthMB: number }>('report')).growthMB);
  }
  console.log(`stream: bare ${perSecond(ROWS, median(bare))}, HTTP ${perSecond(ROWS, median(http))}`);
  verdict('stream through HTTP, share of the bare stream', median(bare) / median(http), GOALS.stream, {
    isLargerBetter: true,
  });
  verdict('growth of memory while streaming, MB', Math.max(...growth), GOALS.streamMB);
}

async function measureSearch(bench: Bench, server: Child, id: string): Promise<void> {
  const page = async (query: string) =>
    drained(await send(bench, `/api/kapsule/${id}/sql/read/internal?${query}`));
  const state = { isDone: false };
  server.tell('watch');
  // Another client that requests page after page without a pause.
  const paging = (async () => {
    for (let place = 1; !state.isDone; place = ((place + 997) % Math.max(1, ROWS / 100)) + 1) {
      await page(`page=${place}&size=100&sort=key`);
      await setTimeout(50);
    }
  })();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS * 3; round++)
    for (const q of SEARCHES) times.push(await timed(() => page(`q=${encodeURIComponent(q)}&size=100`)));
  state.isDone = true;
  await paging;
  const { stallMs } = await server.ask<{ stallMs: number }>('report');
  console.log(`search: median ${median(times).toFixed(1)} ms while another client pages`);
  verdict('first page of a search, p95 in ms', p95(times), GOALS.searchP95);
  verdict('longest stall of the event loop meanwhile, ms', stallMs, GOALS.stallMs);
}

const folder = mkdtempSync(join(tmpdir(), 'granules-http-bench-'));
try {
  writeFileSync(join(folder, 'settings.json'), '{"settings":{},"system":{"logLevel":"warn"}}');
  const env = { KAPTAIN_DATA_DIR: folder, KAPTAIN_PORT: '0' };
  const [server, hello] = await Child.start('./server.ts', [], env);
  const [raw] = await Child.start('./raw.ts', [folder], {});
  const bench = await logIn((hello as { url: string }).url);
  await measureBulk(bench, raw);
  const id = await measureImport(bench, raw);
  await measureStream(bench, raw, server, id);
  await measureSearch(bench, server, id);
  await raw.stop({ job: 'stop' });
  await server.stop('stop');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
