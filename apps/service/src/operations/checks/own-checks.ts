import { statfs } from 'node:fs/promises';
import type { Store } from '@kaptain/store';
import { SLOW_DATABASE_MS } from '../tuning.ts';
import { type Check, error, type Finding, ok, warning } from './check.ts';

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const [LITTLE, VERY_LITTLE] = [2 * GB, 200 * MB];

export const databaseCheck = (store: Store): Check => ({
  name: 'Database',
  async check() {
    const since = performance.now();
    try {
      await store.ping();
    } catch {
      return error('It does not answer: check that its server runs and the connection in the settings.');
    }
    const ms = Math.round(performance.now() - since);
    return ms < SLOW_DATABASE_MS
      ? ok(`It answers within ${Math.max(1, ms)} ms.`)
      : warning(`It answers, but took ${ms} ms: look at the load of its machine.`);
  },
});

/** Empty unless changes of what is stored wait for another version of the service to stop. */
export const pendingChangeChecks = (store: Pick<Store, 'pendingChanges'>, database: string): Check[] =>
  store.pendingChanges().length === 0
    ? []
    : [
        {
          name: 'Upgrade',
          async check() {
            const until = database === 'embedded' ? 'a start without it' : 'it has stopped';
            const changes = store.pendingChanges().join(', ');
            return warning(
              `Another version of the service uses the same database. Changes that wait until ${until}: ${changes}.`,
            );
          },
        },
      ];

/** The finding for this many free bytes. */
export function roomLeft(free: number): Finding {
  const text = free >= GB ? `${(free / GB).toFixed(1)} GB` : `${Math.floor(free / MB)} MB`;
  if (free < VERY_LITTLE)
    return error(`Only ${text} are free in the data folder: nothing can be stored soon. Make room now.`);
  if (free < LITTLE) return warning(`Only ${text} are free in the data folder: make room soon.`);
  return ok(`${text} are free in the data folder.`);
}

export const diskCheck = (dataDir: string): Check => ({
  name: 'Disk',
  async check() {
    const { bavail, bsize } = await statfs(dataDir);
    return roomLeft(bavail * bsize);
  },
});

export const failedJobCheck = ({ jobs }: Store): Check => ({
  name: 'Last failed job',
  async check() {
    const [failed] = await jobs.recent({ where: { status: 'failed' }, limit: 1 });
    if (!failed) return ok('No job has failed.');
    const { name, appId, failReason, id } = failed;
    const at = failed.lastFinishedAt ?? failed.createdAt;
    const [later] = appId ? await jobs.recent({ where: { status: 'succeeded', appId }, limit: 1 }) : [];
    if (later && later.id > id) return ok(`“${name}” failed, and has succeeded since.`, at);
    return warning(`“${name}” failed: ${failReason ?? 'the Logs page has the details.'}`, at);
  },
});
