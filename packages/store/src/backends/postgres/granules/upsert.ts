import { ConflictCollector } from '../../../errors.ts';
import type { StoredGranule } from '../../../granules.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';
import type { Session } from '../session.ts';
import { SINGLE_VALUE_ROWS } from '../tuning.ts';
import { type Counter, counterOf, saveCounter, timeFor } from './counters.ts';
import { copyInputs, INPUT_COLUMNS, type Input, Inputs } from './input.ts';
import { fromJson, mergeMany, mergeRows, readConflicts, type Source } from './merge.ts';

const CREATE_INPUT = `
  CREATE TEMP TABLE IF NOT EXISTS granule_input (${INPUT_COLUMNS}) ON COMMIT DELETE ROWS`;

/** Rows inside a transaction: the rows, their history and the counters change together, or a conflict is thrown. */
export async function upsertRows(
  session: Session,
  kapsuleId: string,
  rows: readonly GranuleRow[],
): Promise<StoredGranule[]> {
  const counter = await counterOf(session, kapsuleId);
  const inputs = new Inputs();
  const all = rows.map((row) => inputs.add(row));
  const sourceOf = (round: number): Source => fromJson(all.filter((input) => input.round === round));
  const stored: StoredGranule[] = [];
  await inRounds(session, counter, inputs, sourceOf, async (now, source) => {
    for (const { n, id, version } of await mergeRows(session, counter, now, source)) {
      stored[n - 1] = { id, key: rows[n - 1]?.[0] ?? '', version };
    }
  });
  return stored;
}

/** The same without an answer, which would cost more than its use for a large batch. */
export async function upsertBatch(
  session: Session,
  kapsuleId: string,
  rows: readonly GranuleRow[],
): Promise<void> {
  if (rows.length <= SINGLE_VALUE_ROWS) return void (await upsertRows(session, kapsuleId, rows));
  const inputs = new Inputs();
  const all: Input[] = rows.map((row) => inputs.add(row));
  await session.exec(CREATE_INPUT);
  await copyInputs(session.client, 'granule_input', all);
  const counter = await counterOf(session, kapsuleId);
  const sourceOf = (round: number): Source => ({
    sql: 'SELECT * FROM granule_input WHERE round = $6',
    values: [round],
  });
  await inRounds(session, counter, inputs, sourceOf, (now, source) =>
    mergeMany(session, counter, now, source),
  );
}

/** Merges round after round and saves the counters; throws when any version was stale. */
async function inRounds(
  session: Session,
  counter: Counter,
  { rounds, hasVersions }: Inputs,
  sourceOf: (round: number) => Source,
  merge: (now: string, source: Source) => Promise<void>,
): Promise<void> {
  const now = timeFor(counter);
  const changesBefore = counter.lastChange;
  const conflicts = new ConflictCollector();
  for (let round = 0; round < rounds; round += 1) {
    const source = sourceOf(round);
    if (hasVersions) await readConflicts(session, counter, source, conflicts);
    // Nothing is kept any more; what went before only matters to what comes after.
    if (conflicts.count > 0 && round === rounds - 1) break;
    await merge(now, source);
  }
  conflicts.end();
  await saveCounter(session, counter, counter.lastChange - changesBefore);
}
