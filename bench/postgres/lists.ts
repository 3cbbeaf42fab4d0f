import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@kaptain/store';
import autocannon from 'autocannon';
import { Client } from 'pg';
import type { PostgresServer } from '../../tools/test-servers/postgres.ts';
import { fillStore, PASSWORD } from '../people/fill.ts';
import { logIn, startService, stop } from '../people/processes.ts';

/** The same kapsules once more as rows, for the handlers that we compare ourselves with. */
async function copyAsRows(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    CREATE SCHEMA bench;
    CREATE TABLE bench.kapsules AS
      SELECT id, d ->> 'name' AS name, d ->> 'database' AS database, d ->> 'tableName' AS table_name,
        d ->> 'table' AS bound_table, d ->> 'keyField' AS key_field, d ->> 'owner' AS owner,
        (d ->> 'createdAt')::timestamptz AS created_at, (d ->> 'updatedAt')::timestamptz AS updated_at
      FROM (SELECT id, doc::json AS d FROM kaptain.kapsules) k;
    ALTER TABLE bench.kapsules ADD PRIMARY KEY (id);
    CREATE TABLE bench.fields AS
      SELECT k.id AS kapsule_id, f ->> '_id' AS field_id, f ->> 'name' AS field_name, f ->> 'type' AS field_type
      FROM kaptain.kapsules k, json_array_elements(k.doc::json -> 'fields') f;
    ALTER TABLE bench.fields ADD PRIMARY KEY (kapsule_id, field_id);
    ANALYZE`);
  await client.end();
}

async function perSecond(url: string, headers: Record<string, string>, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: 10, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${url} failed under load.`);
  return result.requests.total / result.duration;
}

export interface ListFigures {
  list: number[];
  rows: number[];
  json: number[];
  small: number[];
  bareSmall: number[];
}

/** Requests per second, all of them in turns. */
export async function measureLists(
  server: PostgresServer,
  store: Store,
  rounds: number,
  seconds: number,
): Promise<ListFigures> {
  await fillStore(store);
  await copyAsRows(server.url);
  const folder = mkdtempSync(join(tmpdir(), 'kaptain-bench-'));
  const { host, port, user, password, database } = server.config;
  const db = {
    KAPTAIN_DB: 'postgres',
    KAPTAIN_DB_HOST: host,
    KAPTAIN_DB_PORT: port,
    KAPTAIN_DB_USER: user,
    KAPTAIN_DB_PASS: password,
    KAPTAIN_DB_NAME: database,
  };
  const settings = { settings: {}, system: { logLevel: 'warn' }, db };
  writeFileSync(join(folder, 'settings.json'), JSON.stringify(settings));
  const service = await startService(folder);
  const bare = fork(join(import.meta.dirname, 'server.ts'), [server.url]);
  const [bareUrl] = (await once(bare, 'message')) as [string];
  const figures: ListFigures = { list: [], rows: [], json: [], small: [], bareSmall: [] };
  try {
    const headers = { authorization: `Bearer ${await logIn(service.url, 'reader', PASSWORD)}` };
    const [first] = (await (await fetch(`${service.url}/api/kapsule`, { headers })).json()) as {
      _id: string;
    }[];
    const id = first?._id ?? '';
    for (let round = 0; round < rounds; round += 1) {
      figures.rows.push(await perSecond(`${bareUrl}/rows`, {}, seconds));
      figures.json.push(await perSecond(`${bareUrl}/json`, {}, seconds));
      figures.list.push(await perSecond(`${service.url}/api/kapsule`, headers, seconds));
      figures.bareSmall.push(await perSecond(`${bareUrl}/one/${id}`, {}, seconds));
      figures.small.push(await perSecond(`${service.url}/api/kapsule/${id}`, headers, seconds));
    }
  } finally {
    await Promise.all([stop(service.child), stop(bare)]);
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}
