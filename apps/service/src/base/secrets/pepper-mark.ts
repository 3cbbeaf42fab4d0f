import { createHmac } from 'node:crypto';
import type { Store } from '@kaptain/store';
import type { Log } from '../logging/logs.ts';
import { PEPPER_RETRY_MS } from '../tuning.ts';

export const OTHER_PEPPER =
  'This database was used with another KAPTAIN_PEPPER (or keys folder): API keys made there do not work here, and the ' +
  'audit trail can not be verified as one. Give all instances the same; if the other one is lost, delete the API keys ' +
  'and make new ones.';

/** Reveals nothing about the secret, and never equals the hash of an API key. */
const markOf = (pepper: Buffer): string => createHmac('sha256', pepper).update('\0mark').digest('base64url');

/** Whether the database has the mark of another secret. */
export async function isOtherPepper(store: Store, pepper: Buffer): Promise<boolean> {
  const [instance] = await store.instance.all();
  return instance?.pepperMark !== undefined && instance.pepperMark !== markOf(pepper);
}

/**
 * Compares the mark in the database with this instance's secret and warns when they differ; the service goes on,
 * because the database may be a restored one. Writes the mark when there is none, or when there are no API keys left.
 * Returns whether the database has a mark.
 */
export async function comparePepper(store: Store, pepper: Buffer, log: Pick<Log, 'warn'>): Promise<boolean> {
  const mark = markOf(pepper);
  return store.transaction(async (unit) => {
    const [instance] = await unit.instance.all();
    if (!instance || instance.pepperMark === mark) return instance !== undefined;
    const isFirst = instance.pepperMark === undefined;
    if (!isFirst) log.warn({}, OTHER_PEPPER);
    if (isFirst || (await unit.apiKeys.all()).length === 0) {
      await unit.instance.patch(instance.id, { pepperMark: mark });
    }
    return true;
  });
}

/** Retries until there is a first admin: the instance record, which holds the mark, is created with them. */
export function watchPepper(store: Store, pepper: () => Buffer, log: Pick<Log, 'warn'>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const compare = async () => await comparePepper(store, pepper(), log);
  const attempt = async () => {
    // Retried while the database or the keys folder is not available.
    const isMarked = await compare().catch(() => false);
    if (!isMarked && !isOver) timer = setTimeout(() => void attempt(), PEPPER_RETRY_MS).unref();
  };
  void attempt();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
