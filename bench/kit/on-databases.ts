import type { BenchDatabase, DatabaseKind } from '../databases/database.ts';
import { embeddedDatabase } from '../databases/embedded.ts';
import { mongodbDatabase } from '../databases/mongodb.ts';
import { postgresDatabase } from '../databases/postgres.ts';
import { wantedDatabases } from './options.ts';
import { endSection } from './report.ts';
import { type Running, runService } from './service.ts';

const openers: Record<DatabaseKind, () => Promise<BenchDatabase>> = {
  embedded: embeddedDatabase,
  postgres: () => postgresDatabase(),
  far: () => postgresDatabase(true),
  mongodb: mongodbDatabase,
};

interface Options {
  /** The heading in RESULTS.md. */
  title: string;
  kinds: readonly DatabaseKind[];
  /** The size of a run, as the result tells it. */
  size: string;
  /** With the settings of a new installation; otherwise only warnings are logged. */
  isAsInstalled?: boolean;
}

/** Measures a service on each database that was asked for, one after the other. */
export async function onDatabases(
  { title, kinds, size, isAsInstalled = false }: Options,
  measure: (database: BenchDatabase, running: Running) => Promise<void>,
): Promise<void> {
  const unknown = wantedDatabases.find((name) => !(kinds as readonly string[]).includes(name));
  if (unknown !== undefined) throw new Error(`This bench measures ${kinds.join(', ')}, not ${unknown}.`);
  for (const kind of kinds) {
    if (wantedDatabases.length > 0 && !wantedDatabases.includes(kind)) continue;
    await using database = await openers[kind]();
    console.log(`  on ${database.name}, ${size}`);
    await using running = await runService(database, isAsInstalled);
    await measure(database, running);
    endSection([title, database.name], size);
  }
}
