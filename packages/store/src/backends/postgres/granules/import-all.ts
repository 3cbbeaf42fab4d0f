import { NotFoundError } from '../../../errors.ts';
import type { GranuleRows } from '../../../granules.ts';
import { BEGIN_GRANULES, BY_INDEX, type Connections, inTransaction } from '../connections.ts';
import { locks } from '../locks.ts';
import type { Session } from '../session.ts';
import { type Counter, counterOf, findCounter, lockCounter } from './counters.ts';
import { writeLocked, writeUnlocked } from './import-writes.ts';
import { type Staged, stageRows } from './stage.ts';

const LOCK_IMPORTS = `SELECT pg_advisory_lock(${locks.import('$1')})`;
/** So few rows are written while the kapsule is locked, which takes less than 100 ms. */
const FEW = 1_000;

/**
 * The rows are staged in a temporary table, then written in one transaction, which other writers of the kapsule wait for
 * only at its end. Imports into one kapsule write one after another.
 */
export async function importAll(
  connections: Connections,
  kapsuleId: string,
  rows: GranuleRows,
  audit: (session: Session, stored: number) => Promise<void>,
): Promise<number> {
  const { kapsule } = await connections.atomically(connections.granuleWrites, BEGIN_GRANULES, (session) =>
    counterOf(session, kapsuleId),
  );
  const require = (counter: Counter | undefined): Counter => {
    if (counter?.kapsule !== kapsule) throw new NotFoundError('kapsules', kapsuleId);
    return counter;
  };
  return connections.long.run(() =>
    connections.apart(async (session) => {
      const staged = await stageRows(session.client, rows);
      await session.run(LOCK_IMPORTS, kapsuleId);
      await inTransaction(session, `BEGIN; ${BY_INDEX}`, async () => {
        if (isLockedFirst(staged)) await writeLocked(session, require(await lockCounter(session, kapsuleId)));
        else await writeUnlocked(session, require(await findCounter(session, kapsuleId)), staged, require);
        await audit(session, staged.rows);
      });
      return staged.rows;
    }),
  );
}

/** Versions are compared while no other writer can change them. */
const isLockedFirst = ({ rows, hasVersions }: Staged) => hasVersions || rows <= FEW;
