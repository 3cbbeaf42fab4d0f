import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { granulesBetween, secondThoughts } from './granules.ts';
import { knownKapsules } from './kapsules.ts';
import { random, reseed, whole } from './random.ts';

/** What was written on one day: a stretch of each kapsule's granules, and second thoughts about earlier ones. */
const [folder = '', day = '0', from = '0', to = '1'] = process.argv.slice(2);
reseed(Number(day));

const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
for (const kapsule of await knownKapsules(store)) {
  await store.granules.bulkUpsert(kapsule.id, granulesBetween(kapsule, Number(from), Number(to)));
  // The platform has taken over most of it; what was written after its last reload is still waiting.
  const watermark = await store.granules.watermark(kapsule.id);
  await store.granules.markReloaded(kapsule.id, Math.floor(watermark * (0.8 + random() * 0.2)));
  const thoughts = secondThoughts(kapsule, Number(to), whole(10, 60));
  if (thoughts.length > 0) await store.granules.upsert(kapsule.id, thoughts);
}
await store.close();
