import { createHmac } from 'node:crypto';
import type { Store } from '@kaptain/store';
import type { Log } from '../logging/logs.ts';

/** For a database without an admin; nobody has API keys in it yet. */
const AGAIN_MS = 30_000;

export const OTHER_PEPPER =
  'This database was used with another KAPTAIN_PEPPER (or keys folder): API keys made there do not work here, and the ' +
  'audit trail can not be verified as one. Give all instances the same; if the other one is lost, delete the API keys ' +
  'and make new ones.';

/** Tells nothing of the secret, and is no hash that an API key could have. */
const markOf = (pepper: Buffer): string => createHmac('sha256', pepper).update('\0mark').digest('base64url');

/** Says whether somebody has left the mark of another secret. */
export async function isOtherPepper(store: Store, pepper: Buffer): Promise<boolean> {
  const [instance] = await store.instance.all();
  return instance?.pepperMark !== undefined && instance.pepperMark !== markOf(pepper);
}

/**
 * Warns of an instance with another secret than those before it, which works on: the database may be a restored one.
 * Leaves the mark where there is none, or where the old one stands for nothing any more; says whether there is one.
 */
export async function meetPepper(store: Store, pepper: Buffer, log: Pick<Log, 'warn'>): Promise<boolean> {
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

/** Until there is an admin, and with it a place for the mark. */
export function watchPepper(store: Store, pepper: () => Buffer, log: Pick<Log, 'warn'>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const meet = async () => await meetPepper(store, pepper(), log);
  const look = async () => {
    // A database, or a keys folder, that is away just now is asked again.
    const isMarked = await meet().catch(() => false);
    if (!isMarked && !isOver) timer = setTimeout(() => void look(), AGAIN_MS).unref();
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
