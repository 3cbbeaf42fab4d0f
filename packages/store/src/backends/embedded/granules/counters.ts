import type { DayChanges, GranuleCounts } from '../../../granules.ts';
import { firstDayOf, toCounts } from '../../shared/counts.ts';
import type { Connection } from '../connection.ts';

/** The counters of a kapsule, as read in a transaction. */
export interface Counter {
  kapsule: number;
  kapsuleId: string;
  total: number;
  /** Granules whose latest state the platform has read in a reload. */
  reloaded: number;
  deleted: number;
  lastRow: number;
  lastChange: number;
  /** The last change that the platform has read. */
  reloadedThrough: number;
  /** While a published import replaces granules: the last of its staged rows that has; null at all other times. */
  replacedThrough: number | null;
}

/** Rows of a kapsule have the numbers after kapsule * ROWS_OF_A_KAPSULE. */
const ROWS_OF_A_KAPSULE = 2 ** 32;

export const firstRow = (kapsule: number) => kapsule * ROWS_OF_A_KAPSULE;
export const lastRow = (kapsule: number) => firstRow(kapsule + 1) - 1;

const FIND = 'SELECT * FROM granule_counts WHERE kapsuleId = ?';

export function findCounter(connection: Connection, kapsuleId: string): Counter | undefined {
  const counter = connection.get(FIND, kapsuleId) as Counter | undefined;
  return counter && { ...counter };
}

export function counterOf(connection: Connection, kapsuleId: string): Counter {
  const counter = findCounter(connection, kapsuleId);
  if (counter) return counter;
  connection.run('INSERT INTO granule_counts (kapsuleId) VALUES (?)', kapsuleId);
  return counterOf(connection, kapsuleId);
}

export function saveCounter(connection: Connection, counter: Counter): void {
  const { total, reloaded, deleted, lastRow: last, lastChange, reloadedThrough, kapsule } = counter;
  connection.run(
    `UPDATE granule_counts SET total = ?, reloaded = ?, deleted = ?, lastRow = ?, lastChange = ?, reloadedThrough = ?
     WHERE kapsule = ?`,
    total,
    reloaded,
    deleted,
    last,
    lastChange,
    reloadedThrough,
    kapsule,
  );
}

export function saveReplacedThrough(connection: Connection, { kapsule, replacedThrough }: Counter): void {
  connection.run('UPDATE granule_counts SET replacedThrough = ? WHERE kapsule = ?', replacedThrough, kapsule);
}

export function countChanges(connection: Connection, kapsule: number, changes: number, now: string): void {
  if (changes === 0) return;
  connection.run(
    `INSERT INTO granule_days (kapsule, day, changes) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET changes = changes + excluded.changes`,
    kapsule,
    now.slice(0, 10),
    changes,
  );
}

export function readCounts(connection: Connection, kapsuleId: string): GranuleCounts {
  return toCounts(findCounter(connection, kapsuleId) ?? { total: 0, reloaded: 0 });
}

export function readCountsOfAll(connection: Connection): Map<string, GranuleCounts> {
  const rows = connection.all<Counter>('SELECT * FROM granule_counts');
  return new Map(rows.map((row) => [row.kapsuleId, toCounts(row)]));
}

export function readChangesPerDay(connection: Connection, kapsuleId: string, days: number): DayChanges[] {
  const rows = connection.all<DayChanges>(
    `SELECT d.day, d.changes FROM granule_counts c JOIN granule_days d ON d.kapsule = c.kapsule
     WHERE c.kapsuleId = ? AND d.day >= ? ORDER BY d.day`,
    kapsuleId,
    firstDayOf(days),
  );
  return rows.map((row) => ({ ...row }));
}
