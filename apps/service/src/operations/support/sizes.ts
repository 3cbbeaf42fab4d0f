import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Store } from '@kaptain/store';

/** The bytes of a file, or of all files below a folder; links are not followed. */
async function bytesOf(path: string): Promise<number> {
  const entry = await lstat(path).catch(() => undefined);
  if (!entry?.isDirectory()) return entry?.size ?? 0;
  let sum = 0;
  for (const name of await readdir(path).catch(() => [])) sum += await bytesOf(join(path, name));
  return sum;
}

/** Names that the service gives; others may belong to other programs. */
const knownNames =
  /^(kaptain\.(db|db-wal|db-shm|json)|settings|settings\.json|certificates|keys|logs|script-logs|tmp)$/;

export async function folderSizes(dataDir: string): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const name of await readdir(dataDir).catch(() => [])) {
    const label = knownNames.test(name) ? name : 'others';
    sizes[label] = (sizes[label] ?? 0) + (await bytesOf(join(dataDir, name)));
  }
  const { bavail, bsize } = await statfs(dataDir);
  return { ...sizes, free: bavail * bsize };
}

/** How much the database has of each noun. */
export async function storedSizes(store: Store): Promise<Record<string, number>> {
  const [users, groups, kapsules, apiKeys, schedules] = await Promise.all([
    store.users.all(),
    store.groups.all(),
    store.kapsules.all(),
    store.apiKeys.all(),
    store.schedules.all(),
  ]);
  const counts = [...(await store.granules.countsOfAll()).values()];
  const jobs = async (status: 'queued' | 'running') => (await store.jobs.findBy('status', status)).length;
  return {
    users: users.length,
    groups: groups.length,
    kapsules: kapsules.length,
    kapsulesInDataSources: kapsules.filter(({ database }) => database !== 'kaptaindb').length,
    apiKeys: apiKeys.length,
    schedules: schedules.length,
    granules: counts.reduce((sum, { total }) => sum + total, 0),
    granulesOfLargestKapsule: Math.max(0, ...counts.map(({ total }) => total)),
    queuedJobs: await jobs('queued'),
    runningJobs: await jobs('running'),
  };
}
