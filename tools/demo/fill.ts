import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { hashPassword } from '../../apps/service/src/security/passwords.ts';
import { addAudit } from './audit.ts';
import { granulesOf, secondThoughts } from './granules.ts';
import { addGroups } from './groups.ts';
import { addJobs } from './jobs.ts';
import { addKapsules } from './kapsules.ts';
import { demoLogins } from './login.mjs';
import { addPeople } from './people.ts';
import { random } from './random.ts';

/** Fills an empty data folder (the argument) with believable data. */
const folder = process.argv[2];
if (!folder) throw new Error('Which folder? node tools/demo/fill.ts FOLDER');

mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'settings.json'), JSON.stringify({ settings: { apiKey: true } }));
const store = await openEmbeddedStore({ file: join(folder, 'kaptain.db') });
const passwordHash = await hashPassword(demoLogins[0]?.password ?? '');

const kapsules = await store.transaction(async (nouns) => {
  const userIds = await addPeople(nouns, passwordHash);
  const added = await addKapsules(nouns, userIds);
  await addGroups(nouns, added, userIds);
  await addJobs(nouns, added, userIds);
  await addAudit(nouns);
  return added;
});
for (const kapsule of kapsules) {
  await store.granules.bulkUpsert(kapsule.id, granulesOf(kapsule));
  // The platform has taken over most of it; what was written after its last reload is still waiting.
  const watermark = await store.granules.watermark(kapsule.id);
  await store.granules.markReloaded(kapsule.id, Math.floor(watermark * (0.6 + random() * 0.4)));
  await store.granules.upsert(kapsule.id, secondThoughts(kapsule));
}
await store.close();
