import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedStore } from '@kaptain/store';
import { hashPassword } from '../../apps/service/src/security/passwords.ts';
import { granulesOf } from './granules.ts';
import { addGroups } from './groups.ts';
import { addJobs } from './jobs.ts';
import { addKapsules } from './kapsules.ts';
import { demoLogins } from './login.mjs';
import { addPeople } from './people.ts';

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
  return added;
});
for (const kapsule of kapsules) await store.granules.bulkUpsert(kapsule.id, granulesOf(kapsule));
await store.close();
