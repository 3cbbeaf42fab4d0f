import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { fillStore, PASSWORD } from '../people/fill.ts';
import { logIn, startService, stop } from '../people/processes.ts';
import type { BenchDatabase } from './database.ts';

async function perSecond(
  url: string,
  paths: readonly string[],
  headers: Record<string, string>,
  seconds: number,
): Promise<number> {
  const requests = paths.map((path) => ({ path }));
  const result = await autocannon({ url, requests, headers, connections: 10, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url}${paths[0]} failed under load.`);
  return result.requests.total / result.duration;
}

export interface ListFigures {
  list: number[];
  rows: number[];
  json: number[];
  small: number[];
  bareSmall: number[];
}

/** Requests per second, in alternating rounds; the requests for one kapsule cycle through all 200. */
export async function measureLists(
  database: BenchDatabase,
  rounds: number,
  seconds: number,
): Promise<ListFigures> {
  const store = await database.open();
  await fillStore(store);
  await store.close();
  await database.prepareBare();
  const settings = { settings: {}, system: { logLevel: 'warn' } };
  writeFileSync(join(database.folder, 'settings.json'), JSON.stringify(settings));
  const service = await startService(database.folder, database.env);
  const bare = fork(database.bare.script, database.bare.args);
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const figures: ListFigures = { list: [], rows: [], json: [], small: [], bareSmall: [] };
  try {
    const headers = { authorization: `Bearer ${await logIn(service.url, 'reader', PASSWORD)}` };
    const all = (await (await fetch(`${service.url}/api/kapsule`, { headers })).json()) as { _id: string }[];
    const ofService = (...paths: string[]) => perSecond(service.url, paths, headers, seconds);
    const ofBare = (...paths: string[]) => perSecond(bareUrl, paths, {}, seconds);
    const ones = all.map(({ _id }) => `/api/kapsule/${_id}`);
    const bareOnes = all.map(({ _id }) => `/one/${_id}`);
    // A warm-up round, which is not counted.
    await Promise.all([ofBare(...bareOnes), ofService(...ones)]);
    for (let round = 0; round < rounds; round += 1) {
      figures.bareSmall.push(await ofBare(...bareOnes));
      figures.small.push(await ofService(...ones));
      figures.rows.push(await ofBare('/rows'));
      if (database.bare.makesJson) figures.json.push(await ofBare('/json'));
      figures.list.push(await ofService('/api/kapsule'));
    }
  } finally {
    await Promise.all([stop(service.child), stop(bare)]);
  }
  return figures;
}
