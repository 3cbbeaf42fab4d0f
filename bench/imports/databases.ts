import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from 'pg';
import { onPostgres } from '../../apps/service/src/testing/service-on.ts';
import { startPostgres } from '../../tools/test-servers/postgres.ts';

/** A database for the service, and its goals. */
export interface ImportDatabase extends AsyncDisposable {
  readonly name: string;
  readonly env: Record<string, string>;
  readonly folder: string;
  /** The processes of its server. */
  readonly pids: readonly number[];
  /** For a million new keys. */
  readonly seconds: number;
  /** Rows, or kapsules, that the search index does not know yet. */
  unindexed(): Promise<number>;
}

export async function embeddedImports(): Promise<ImportDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'imports-bench-'));
  return {
    name: 'the embedded store',
    env: {},
    folder,
    pids: [],
    seconds: 12,
    async unindexed() {
      using database = new DatabaseSync(join(folder, 'kaptain.db'), { readOnly: true });
      const found = database.prepare('SELECT count(*) AS rows FROM granule_unindexed').get();
      return Number(found?.['rows']);
    },
    [Symbol.asyncDispose]: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

const BEHIND = `
  SELECT count(*)::int AS behind FROM kapsule_data.granule_counts c
  LEFT JOIN kapsule_data.granule_indexed i USING (kapsule) WHERE c.last_change > coalesce(i.through, 0)`;

export async function postgresImports(): Promise<ImportDatabase> {
  const server = await startPostgres({ fsync: true });
  const folder = mkdtempSync(join(tmpdir(), 'imports-bench-'));
  const client = new Client({ connectionString: server.url });
  await client.connect();
  return {
    name: 'PostgreSQL',
    env: onPostgres(server.config),
    folder,
    pids: [server.pid],
    seconds: 30,
    unindexed: async () => Number((await client.query<{ behind: number }>(BEHIND)).rows[0]?.behind),
    async [Symbol.asyncDispose]() {
      await client.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
