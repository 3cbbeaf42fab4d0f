import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { editsOf, granulesBetween } from './granules.ts';
import { knownKapsules } from './kapsules.ts';
import { random, reseed, whole } from './random.ts';

/**
 * Writes the granules of one day: new ones of each kapsule (the shares `from` to `to` of all that it will have), and edits of earlier
 * ones. `fill.ts` starts it with the clock of that day; another seed makes other granules.
 */
const [folder = '', seed = '0', from = '0', to = '1'] = process.argv.slice(2);
reseed(Number(seed));

const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
for (const kapsule of await knownKapsules(store)) {
  await store.granules.bulkUpsert(kapsule.id, granulesBetween(kapsule, Number(from), Number(to)));
  // The app has loaded most of these changes, which are numbered from 1; the last of them came after its reload.
  const watermark = await store.granules.watermark(kapsule.id);
  await store.granules.markReloaded(kapsule.id, Math.floor(watermark * (0.8 + random() * 0.2)));
  const edits = editsOf(kapsule, Number(to), whole(10, 60));
  if (edits.length > 0) await store.granules.upsert(kapsule.id, edits);
}
await store.close();
