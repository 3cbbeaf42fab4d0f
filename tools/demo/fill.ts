import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openSealed } from '../../apps/service/src/base/database/open-store.ts';
import { hashPassword } from '../../apps/service/src/identity/passwords/passwords.ts';
import { addAudit } from './audit.ts';
import { addGroups } from './groups.ts';
import { addJobs, addSchedules } from './jobs.ts';
import { addKapsules, SHEET_KAPSULE } from './kapsules.ts';
import { demoLogins } from './login.mjs';
import { addPeople } from './people.ts';
import { PLATFORM_FILE, SHEET_KAPSULE_FILE } from './platform-file.mjs';

/** Fills an empty data folder (the argument) with realistic data. */
const folder = process.argv[2];
if (!folder) throw new Error('Usage: node tools/demo/fill.ts FOLDER');

/** The settings of the simulated platform, when one runs for this folder. */
function platform(): { settings?: object; hosts?: object } {
  const file = join(folder ?? '', PLATFORM_FILE);
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { settings: object; hosts: object })
    : {};
}

mkdirSync(folder, { recursive: true });
const { settings, ...hosts } = platform();
const whole = { settings: { apiKey: true, ...settings }, ...hosts };
writeFileSync(join(folder, 'settings.json'), JSON.stringify(whole), { mode: 0o600 });
const store = await openSealed(undefined, { dataDir: folder, pepper: undefined });
const passwordHash = await hashPassword(demoLogins[0]?.password ?? '');
await store.transaction(async (nouns) => {
  const userIds = await addPeople(nouns, passwordHash);
  const added = await addKapsules(nouns, userIds);
  await addGroups(nouns, added, userIds);
  await addJobs(nouns, added, userIds, join(folder, 'script-logs'));
  if (settings) await addSchedules(nouns, added, userIds);
  await addAudit(nouns);
  const shown = added.find(({ sketch: [name] }) => name === SHEET_KAPSULE);
  writeFileSync(join(folder, SHEET_KAPSULE_FILE), shown?.id ?? '');
});
await store.close();

/** For each past day, the share of granules that exists by then; a process with its own clock writes each day. */
const days: [daysAgo: number, share: number][] = [
  [23, 0.35],
  [14, 0.55],
  [6, 0.7],
  [2, 0.9],
  [0, 1],
];
const clock = pathToFileURL(join(import.meta.dirname, 'earlier-clock.mjs')).href;
for (const [index, [daysAgo, share]] of days.entries()) {
  const stretch = [String(index + 1), String(days[index - 1]?.[1] ?? 0), String(share)];
  execFileSync(
    process.execPath,
    ['--import', clock, join(import.meta.dirname, 'granule-day.ts'), folder, ...stretch],
    { env: { ...process.env, DEMO_DAYS_AGO: String(daysAgo) }, stdio: 'inherit' },
  );
}
