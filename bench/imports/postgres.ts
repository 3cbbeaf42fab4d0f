import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { onPostgres } from '../../apps/service/src/testing/service-on.ts';
import { startPostgres } from '../../tools/test-servers/postgres.ts';
import { type Bench, drained, json, send } from '../granules-http/client.ts';
import { Child } from '../granules-http/processes.ts';
import { logIn, newKapsule } from '../granules-http/set-up.ts';
import { timed } from '../granules-store/watch.ts';
import { processorTimes } from '../saves/processor-time.ts';

/**
 * Measures imports of QVD files over HTTP on PostgreSQL: a million new keys beside other calls, a search right after, and
 * 100,000 known keys beside a writer of the same kapsule. KAPTAIN_BENCH_ROWS sets the number of new keys.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const KNOWN = ROWS / 10;
const GOALS = { seconds: (30 * ROWS) / 1_000_000, p99: 2, waitMs: 100 };
const IDLE_CALLS = 300;

let missed = 0;
function verdict(label: string, value: number, goal: number, unit: string): void {
  const isReached = value <= goal;
  if (!isReached) missed += 1;
  console.log(
    `  ${isReached ? 'ok    ' : 'MISSED'} ${label}: ${value.toFixed(1)}${unit} (goal <= ${goal}${unit})`,
  );
}

const p99 = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? Number.NaN;

/** Makes the same call again and again, with the same pauses in every case, until it is enough. */
async function repeat(work: () => Promise<unknown>, pauseMs: number, isEnough: (times: number[]) => boolean) {
  const times: number[] = [];
  while (!isEnough(times)) {
    times.push(await timed(work));
    await setTimeout(pauseMs);
  }
  return times;
}

async function during<T>(importing: Promise<T>, work: () => Promise<unknown>, pauseMs: number) {
  let isDone = false;
  const ended = importing.finally(() => {
    isDone = true;
  });
  const times = await repeat(work, pauseMs, () => isDone);
  return { times, result: await ended };
}

async function measure(bench: Bench, uploader: Child, pids: readonly number[]): Promise<void> {
  const id = await newKapsule(bench, 'Imported');
  const upload = async () => {
    const { ms, failure } = await uploader.ask<{ ms: number; failure?: string }>({ bench, id });
    if (failure) throw new Error(failure);
    return ms / 1000;
  };
  const other = async () => drained(await send(bench, `/api/kapsule/${id}`));
  const idle = await repeat(other, 20, ({ length }) => length >= IDLE_CALLS);
  const before = processorTimes(pids);
  const all = await during(upload(), other, 20);
  const used = processorTimes(pids).map((ms, place) => ((ms - (before[place] ?? 0)) / 1000).toFixed(1));
  verdict(`import of ${ROWS} new keys`, all.result, GOALS.seconds, ' s');
  console.log(`         processor time: service ${used[0]} s, database ${used[1]} s`);
  verdict('  p99 of other calls, to idle', p99(all.times) / p99(idle), GOALS.p99, 'x');
  const last = `ORD-${String(ROWS - 1).padStart(7, '0')}`;
  let found = 0;
  const searchMs = await timed(async () => {
    const page = await send(bench, `/api/kapsule/${id}/sql/read/internal?q=${last}&size=100`);
    found = Number(/"total":(\d+)/.exec(JSON.stringify(await json(page)))?.[1]);
  });
  console.log(`         a search right after finds ${found} of 1 in ${Math.round(searchMs)} ms`);
  if (found !== 1) missed += 1;
  let count = 0;
  const save = async () => {
    count += 1;
    const granules = [{ key: `writer ${count}`, data: { Comment: `Comment ${count}` } }];
    const body = JSON.stringify({ granules });
    const path = `/api/kapsule/${id}/granules`;
    await drained(await send(bench, path, { method: 'PUT', type: 'application/json', body }));
  };
  const alone = await repeat(save, 5, ({ length }) => length >= IDLE_CALLS);
  const known = await during(upload(), save, 5);
  console.log(`         import of ${KNOWN} known keys: ${known.result.toFixed(1)} s`);
  const waits = `longest ${Math.max(...alone).toFixed(0)} ms alone`;
  verdict(`  longest save into the same kapsule (${waits})`, Math.max(...known.times), GOALS.waitMs, ' ms');
}

export async function importsOnPostgres(): Promise<number> {
  console.log('  on PostgreSQL');
  const server = await startPostgres({ fsync: true });
  const folder = mkdtempSync(join(tmpdir(), 'imports-bench-'));
  try {
    writeFileSync(join(folder, 'settings.json'), '{"settings":{},"system":{"logLevel":"warn"}}');
    const env = { ...onPostgres(server.config), KAPTAIN_DATA_DIR: folder, KAPTAIN_PORT: '0' };
    const [service, hello] = await Child.start('./server.ts', [], env);
    const [uploader] = await Child.start(
      '../imports/postgres-uploader.ts',
      [String(ROWS), String(KNOWN)],
      {},
    );
    await measure(await logIn((hello as { url: string }).url), uploader, [service.pid, server.pid]);
    await uploader.stop('stop');
    await service.stop('stop');
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return missed;
}

if (import.meta.main) process.exit((await importsOnPostgres()) > 0 ? 1 : 0);
