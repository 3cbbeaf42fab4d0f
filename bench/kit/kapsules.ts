import { setTimeout } from 'node:timers/promises';
import type { BenchDatabase } from '../databases/database.ts';
import { type Caller, write } from './client.ts';
import { mixedFields, mixedRows } from './mixed.ts';

/** A kapsule for the mixed rows. */
export async function newKapsule(caller: Caller, name: string): Promise<string> {
  const body = { name, keyField: 'OrderNo', fields: mixedFields };
  return (await write<{ _id: string }>(caller, 'POST', '/api/kapsule', body))._id;
}

/** Waits until the search index is complete; returns the milliseconds. */
export async function untilIndexed(database: BenchDatabase): Promise<number> {
  const began = performance.now();
  while ((await database.unindexed()) > 0) await setTimeout(200);
  return performance.now() - began;
}

/** A kapsule with so many mixed rows, all of them indexed. */
export async function filledKapsule(database: BenchDatabase, admin: Caller, rows: number): Promise<string> {
  const id = await newKapsule(admin, `${rows} rows`);
  const store = await database.open();
  await store.granules.importAll(id, mixedRows(rows), async () => undefined);
  await store.granules.markReloaded(id, rows / 2);
  await untilIndexed(database);
  await database.vacuum();
  await store.close();
  return id;
}
