import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { foldName, newId, openEmbeddedStore } from '@kaptain/store';
import { comments } from '../granules-store/rows.ts';

/** Adds kapsules of these sizes to the database of a running service, and waits for their search indexes. */
export async function fill(dataDir: string, sizes: readonly number[]): Promise<string[]> {
  const store = await openEmbeddedStore({ file: join(dataDir, 'kaptain.db') });
  const now = new Date().toISOString();
  const ids: string[] = [];
  for (const size of sizes) {
    const { id } = await store.kapsules.insert({
      name: `${size} rows`,
      nameKey: foldName(`${size} rows`),
      database: 'kaptaindb',
      tableName: 'kaptaindb',
      table: `T${size}`,
      keyField: 'Key',
      owner: 'admin',
      ownerId: '',
      fields: ['Comment', 'Amount', 'OrderDate', 'Country'].map((name) => ({
        _id: newId(),
        name,
        type: 'text',
      })),
      createdAt: now,
      updatedAt: now,
    });
    await store.granules.bulkUpsert(id, comments(size, 'ORD'));
    await store.granules.markReloaded(id, size / 2);
    ids.push(id);
  }
  for (let mark = ''; mark !== (await store.changeMark()); await setTimeout(2_000))
    mark = await store.changeMark();
  await store.close();
  return ids;
}
