import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Bench, drained, json, send } from '../granules-http/client.ts';
import { Child } from '../granules-http/processes.ts';
import { logIn, newKapsule } from '../granules-http/set-up.ts';
import { timed } from '../granules-store/watch.ts';
import { during, idleCalls, judgeOthers } from '../others-beside.ts';
import { processorTimes } from '../saves/processor-time.ts';
import { verdict } from '../verdict.ts';
import { embeddedImports, type ImportDatabase, postgresImports } from './databases.ts';

/**
 * Measures imports of QVD files over HTTP: a million new keys beside other calls, a search right after, the time until the
 * search index is complete, and a tenth as many known keys beside a writer. `imports embedded` or `imports postgres` measures
 * one database; KAPTAIN_BENCH_ROWS sets the number of new keys. Exit code 1 when a goal is missed.
 */
const ROWS = Number(process.env['KAPTAIN_BENCH_ROWS'] ?? 1_000_000);
const KNOWN = ROWS / 10;
const GOALS = { waitMs: 100, indexSeconds: 60 };
const WRITER_PAUSE_MS = 5;

async function search(bench: Bench, id: string): Promise<void> {
  const last = `ORD-${String(ROWS - 1).padStart(7, '0')}`;
  let found = 0;
  const ms = await timed(async () => {
    const page = await send(bench, `/api/kapsule/${id}/sql/read/internal?q=${last}&size=100`);
    found = Number(/"total":(\d+)/.exec(JSON.stringify(await json(page)))?.[1]);
  });
  verdict(`a search right after takes ${Math.round(ms)} ms and misses`, 1 - found, 0, { unit: ' rows' });
}

async function measure(
  database: ImportDatabase,
  bench: Bench,
  { uploader, service }: { uploader: Child; service: Child },
): Promise<void> {
  const id = await newKapsule(bench, 'Imported');
  const upload = async () => {
    const { ms, failure } = await uploader.ask<{ ms: number; failure?: string }>({ bench, id });
    if (failure) throw new Error(failure);
    return ms / 1000;
  };
  const other = async () => drained(await send(bench, `/api/kapsule/${id}`));
  const idle = await idleCalls(other);
  const pids = [service.pid, ...database.pids];
  const before = processorTimes(pids);
  const all = await during(upload(), other);
  const used = processorTimes(pids).map(
    (ms, place) => `${((ms - (before[place] ?? 0)) / 1000).toFixed(1)} s`,
  );
  const seconds = (database.seconds * ROWS) / 1_000_000;
  verdict(`import of ${ROWS} new keys`, all.result, seconds, { unit: ' s' });
  console.log(`         processor time of the service, and of the database: ${used.join(', ')}`);
  judgeOthers('the import', idle, all.times);
  await search(bench, id);
  const indexMs = await timed(async () => {
    while ((await database.unindexed()) > 0) await setTimeout(200);
  });
  verdict('  until the index is complete', indexMs / 1000, GOALS.indexSeconds, { unit: ' s' });
  let count = 0;
  const save = async () => {
    count += 1;
    const granules = [{ key: `writer ${count}`, data: { Comment: `Comment ${count}` } }];
    const path = `/api/kapsule/${id}/granules`;
    const body = JSON.stringify({ granules });
    await drained(await send(bench, path, { method: 'PUT', type: 'application/json', body }));
  };
  const alone = Math.max(...(await idleCalls(save, WRITER_PAUSE_MS)));
  const known = await during(upload(), save, WRITER_PAUSE_MS);
  console.log(`         import of ${KNOWN} known keys: ${known.result.toFixed(1)} s`);
  const label = `  longest save meanwhile (${alone.toFixed(0)} ms without the import)`;
  verdict(label, Math.max(...known.times), GOALS.waitMs, { unit: ' ms' });
}

async function onDatabase(database: ImportDatabase): Promise<void> {
  console.log(`  on ${database.name}`);
  const { folder } = database;
  writeFileSync(join(folder, 'settings.json'), '{"settings":{},"system":{"logLevel":"warn"}}');
  const env = { ...database.env, KAPTAIN_DATA_DIR: folder, KAPTAIN_PORT: '0' };
  const [service, hello] = await Child.start('./server.ts', [], env);
  const [uploader] = await Child.start('./uploader.ts', [String(ROWS), String(KNOWN)], {});
  try {
    await measure(database, await logIn((hello as { url: string }).url), { uploader, service });
  } finally {
    await uploader.stop('stop');
    await service.stop('stop');
  }
}

const wanted = process.argv[2];
for (const [name, open] of Object.entries({ embedded: embeddedImports, postgres: postgresImports })) {
  if (wanted !== undefined && wanted !== name) continue;
  await using database = await open();
  await onDatabase(database);
}
