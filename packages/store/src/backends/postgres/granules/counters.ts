import type { DayChanges, GranuleCounts } from '../../../granules.ts';
import { nowText } from '../../shared/clock.ts';
import { firstDayOf, toCounts } from '../../shared/counts.ts';
import { CHANNEL, type Session } from '../session.ts';

/** The counters of a kapsule, as they are in a transaction. */
export interface Counter {
  kapsule: number;
  kapsuleId: string;
  total: number;
  reloaded: number;
  deleted: number;
  lastChange: number;
  reloadedThrough: number;
  lastAt: string;
}

const COLUMNS = `kapsule, kapsule_id AS "kapsuleId", total, reloaded, deleted, last_change AS "lastChange",
  reloaded_through AS "reloadedThrough", last_at AS "lastAt"`;

const FIND = {
  name: 'find counter',
  text: `SELECT ${COLUMNS} FROM kapsule_data.granule_counts WHERE kapsule_id = $1`,
};
const LOCK = { name: 'lock counter', text: `${FIND.text} FOR UPDATE` };

const SAVE = {
  name: 'save counter',
  text: `
    WITH days AS (
      INSERT INTO kapsule_data.granule_days AS d (kapsule, day, changes) SELECT $1, $7, $8 WHERE $8::bigint > 0
      ON CONFLICT (kapsule, day) DO UPDATE SET changes = d.changes + excluded.changes
    )
    UPDATE kapsule_data.granule_counts
    SET total = $2, reloaded = $3, deleted = $4, last_change = $5, reloaded_through = $6, last_at = $9
    WHERE kapsule = $1 RETURNING pg_notify('${CHANNEL}', $10)`,
};

export const findCounter = (session: Session, kapsuleId: string): Promise<Counter | undefined> =>
  session.get<Counter>(FIND, kapsuleId);

/** The kapsule is the transaction's until its end. */
export async function lockCounter(session: Session, kapsuleId: string): Promise<Counter | undefined> {
  session.lockedKapsule = kapsuleId;
  const counter = await session.get<Counter>(LOCK, kapsuleId);
  session.lockedKapsule = undefined;
  return counter;
}

export async function counterOf(session: Session, kapsuleId: string): Promise<Counter> {
  for (;;) {
    const counter = await lockCounter(session, kapsuleId);
    if (counter) return counter;
    // A deletion of the kapsule that is under way ends first: it would not see the new counters.
    await session.run('SELECT 1 FROM kaptain.kapsules WHERE id = $1 FOR KEY SHARE', kapsuleId);
    await session.run(
      'INSERT INTO kapsule_data.granule_counts (kapsule_id) VALUES ($1) ON CONFLICT DO NOTHING',
      kapsuleId,
    );
  }
}

/** Notifies the other instances too, when the transaction commits. */
export async function saveCounter(session: Session, counter: Counter, changes: number): Promise<void> {
  const { kapsule, total, reloaded, deleted, lastChange, reloadedThrough, lastAt } = counter;
  const numbers = [kapsule, total, reloaded, deleted, lastChange, reloadedThrough];
  await session.run(
    SAVE,
    ...numbers,
    lastAt.slice(0, 10),
    changes,
    lastAt,
    session.noticeOf(counter.kapsuleId),
  );
}

/** Never before the last change of the kapsule, whichever computer's clock that was. */
export function timeFor(counter: Counter): string {
  const now = nowText();
  counter.lastAt = now > counter.lastAt ? now : counter.lastAt;
  return counter.lastAt;
}

const FIND_MANY = {
  name: 'find counters',
  text: `SELECT ${COLUMNS} FROM kapsule_data.granule_counts WHERE kapsule_id = ANY($1)`,
};

export const noCounts: GranuleCounts = toCounts({ total: 0, reloaded: 0 });

export async function readCounts(
  session: Session,
  kapsuleIds: readonly string[],
): Promise<Map<string, GranuleCounts>> {
  const rows = await session.all<Counter>(FIND_MANY, kapsuleIds);
  return new Map(rows.map((row) => [row.kapsuleId, toCounts(row)]));
}

export async function readCountsOfAll(session: Session): Promise<Map<string, GranuleCounts>> {
  const rows = await session.all<Counter>(`SELECT ${COLUMNS} FROM kapsule_data.granule_counts`);
  return new Map(rows.map((row) => [row.kapsuleId, toCounts(row)]));
}

export function readChangesPerDay(session: Session, kapsuleId: string, days: number): Promise<DayChanges[]> {
  return session.all<DayChanges>(
    `SELECT d.day, d.changes FROM kapsule_data.granule_counts c JOIN kapsule_data.granule_days d USING (kapsule)
     WHERE c.kapsule_id = $1 AND d.day >= $2 ORDER BY d.day`,
    kapsuleId,
    firstDayOf(days),
  );
}
