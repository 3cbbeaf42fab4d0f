import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { NotFoundError } from '../../../errors.ts';
import { freeMemory } from '../../../free-memory.ts';
import type { GranuleRows } from '../../../granules.ts';
import { BEGIN_GRANULES, BY_INDEX, type Connections, inTransaction } from '../connections.ts';
import { locks } from '../locks.ts';
import type { Session } from '../session.ts';
import { LOCKED_IMPORT_ROWS } from '../tuning.ts';
import { type Counter, counterOf, findCounter, lockCounter } from './counters.ts';
import { UnlockedWrites, writeLocked } from './import-writes.ts';
import { INPUT_COLUMNS } from './input.ts';
import { type Slice, slicesOf } from './stage.ts';

const LOCK_IMPORTS = `SELECT pg_advisory_lock(${locks.import('$1')})`;

/** Temporary tables, which PostgreSQL drops with their connection. The rows of a large file may be long in coming. */
const BEGIN_IMPORT = `
  BEGIN; ${BY_INDEX}; SET LOCAL idle_in_transaction_session_timeout = '10min';
  CREATE TEMP TABLE granule_slice (${INPUT_COLUMNS});
  CREATE TEMP TABLE granule_import (${INPUT_COLUMNS});
  CREATE TEMP TABLE granule_replaced (change bigint)`;

/**
 * One transaction, in which rows are written as they come; other writers of the kapsule wait for its last step alone. A
 * killed import leaves nothing. Imports into one kapsule run one after another.
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
  const requireCounter = (counter: Counter | undefined): Counter => {
    if (counter?.kapsule !== kapsule) throw new NotFoundError('kapsules', kapsuleId);
    return counter;
  };
  const writeAll = async (session: Session, slices: AsyncGenerator<Slice, void>): Promise<number> => {
    const writes = new UnlockedWrites(session, requireCounter(await findCounter(session, kapsuleId)));
    for await (const slice of slices) {
      if (slice.isLast && writes.rows === 0 && slice.rows <= LOCKED_IMPORT_ROWS) {
        await copy(session, 'granule_import', slice);
        await writeLocked(session, requireCounter(await lockCounter(session, kapsuleId)));
        await audit(session, slice.rows);
        return slice.rows;
      }
      await copy(session, 'granule_slice', slice);
      await writes.add(slice);
    }
    await writes.publish(requireCounter, () => audit(session, writes.rows));
    return writes.rows;
  };
  return connections.long.run(() =>
    connections.apart(async (session) => {
      await session.run(LOCK_IMPORTS, kapsuleId);
      return inTransaction(session, BEGIN_IMPORT, () =>
        writeAll(session, slicesOf(rows, connections.options.sliceRows)),
      );
    }),
  );
}

async function copy(session: Session, table: string, { lines }: Slice): Promise<void> {
  await pipeline(lines, session.client.query(copyFrom(`COPY ${table} FROM STDIN`)));
  // PostgreSQL has confirmed all of them.
  lines.forEach(freeMemory);
}
