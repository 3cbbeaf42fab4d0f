import { ConflictCollector, NotFoundError } from '../../../errors.ts';
import type { GranuleRows } from '../../../granules.ts';
import { inBatches } from '../../shared/granule-batches.ts';
import { BY_INDEX, type Connections, inTransaction, type Work } from '../connections.ts';
import type { Session } from '../session.ts';
import { type Counter, counterOf, lockCounter, saveCounter, timeFor } from './counters.ts';
import { copyInputs, INPUT_COLUMNS, Inputs } from './input.ts';
import { mergeMany, readConflicts, type Source } from './merge.ts';

/*
 * The rows are staged in a temporary table, which PostgreSQL drops with its connection: a killed import leaves nothing.
 * One transaction merges them into the kapsule. Other writers of this kapsule wait for it; readers and other kapsules
 * do not.
 */
const STAGE = `CREATE TEMP TABLE granule_import (${INPUT_COLUMNS})`;

/** Of the rows of a key only the last one counts. */
const LAST_ONLY = `
  DELETE FROM granule_import a USING (
    SELECT place, max(n) AS last FROM granule_import GROUP BY place HAVING count(*) > 1
  ) b WHERE a.place = b.place AND a.n < b.last;
  CREATE INDEX ON granule_import (n);
  ANALYZE granule_import`;

/** Rows written by one statement, so that the database needs no more memory for a million than for these. */
const SLICE = 20_000;

export async function importAll(
  connections: Connections,
  kapsuleId: string,
  rows: GranuleRows,
  audit: (session: Session, stored: number) => Promise<void>,
): Promise<number> {
  const { kapsule } = await connections.atomically(connections.granuleWrites, 'BEGIN', (session) =>
    counterOf(session, kapsuleId),
  );
  return connections.long.run(() =>
    connections.apart(async (session) => {
      await session.exec(STAGE);
      const inputs = new Inputs();
      const stored = await inBatches(rows, (batch) =>
        copyInputs(
          session.client,
          'granule_import',
          batch.map((row) => inputs.take(row, true)),
        ),
      );
      await session.exec(LAST_ONLY);
      const publish: Work<void> = async () => {
        await write(session, await requireCounter(session, kapsuleId, kapsule), inputs.hasVersions, stored);
        await audit(session, stored);
      };
      await inTransaction(session, `BEGIN; ${BY_INDEX}`, publish);
      return stored;
    }),
  );
}

async function requireCounter(session: Session, kapsuleId: string, kapsule: number): Promise<Counter> {
  const counter = await lockCounter(session, kapsuleId);
  if (counter?.kapsule !== kapsule) {
    throw new NotFoundError('kapsules', kapsuleId);
  }
  return counter;
}

async function write(session: Session, counter: Counter, hasVersions: boolean, rows: number): Promise<void> {
  const changesBefore = counter.lastChange;
  const now = timeFor(counter);
  const sliceFrom = (first: number): Source => ({
    sql: `SELECT * FROM granule_import WHERE n > $6 AND n <= $6::bigint + ${SLICE}`,
    given: [first],
  });
  for (let first = 0; first < rows; first += SLICE) {
    const source = sliceFrom(first);
    if (hasVersions) {
      const conflicts = new ConflictCollector();
      await readConflicts(session, counter, source, conflicts);
      conflicts.end();
    }
    await mergeMany(session, counter, now, source);
  }
  await saveCounter(session, counter, counter.lastChange - changesBefore);
}
