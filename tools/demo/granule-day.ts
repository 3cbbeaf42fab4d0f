import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { editsOf, granulesBetween } from './granules.ts';
import { knownKapsules } from './kapsules.ts';
import { random, reseed, whole } from './random.ts';

/** Writes the granules of one day: a range of new ones per kapsule, and edits of earlier ones. */
const [folder = '', day = '0', from = '0', to = '1'] = process.argv.slice(2);
reseed(Number(day));

const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
for (const kapsule of await knownKapsules(store)) {
  await store.granules.bulkUpsert(kapsule.id, granulesBetween(kapsule, Number(from), Number(to)));
  // The platform has reloaded most granules; those written after its last reload are not reloaded.
  const watermark = await store.granules.watermark(kapsule.id);
  await store.granules.markReloaded(kapsule.id, Math.floor(watermark * (0.8 + random() * 0.2)));
  const edits = editsOf(kapsule, Number(to), whole(10, 60));
  if (edits.length > 0) await store.granules.upsert(kapsule.id, edits);
}
await store.close();
