import type { Connection } from '../connection.ts';
import { findCounter, firstRow, lastRow } from './counters.ts';

const ROWS = 1_000;

/** Without its counters nothing leads to the rows of a kapsule any more, however many they are. */
export function purgeKapsule(connection: Connection, kapsuleId: string): void {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  connection.run('INSERT INTO granule_purges (kapsule) VALUES (?)', counter.kapsule);
  connection.run('DELETE FROM granule_counts WHERE kapsule = ?', counter.kapsule);
  connection.run('DELETE FROM granule_imports WHERE kapsule = ?', counter.kapsule);
}

/** A whole kapsule leaves the index, so that its space is used again; only what is known to be in it can be taken out. */
const FORGET = `
  INSERT INTO granule_search (granule_search, rowid, text)
  SELECT 'delete', row, search FROM (
    SELECT row, search FROM granules WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${ROWS}
  ) WHERE row NOT IN (SELECT row FROM granule_unindexed)`;

/** One step of freeing the space of purged kapsules; false when there is none. */
export function purgeRows(connection: Connection): boolean {
  const purge = connection.get('SELECT kapsule FROM granule_purges LIMIT 1') as
    | { kapsule: number }
    | undefined;
  if (!purge) return false;
  const range = [firstRow(purge.kapsule), lastRow(purge.kapsule)];
  const some = (table: string) =>
    `SELECT rowid FROM ${table} WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${ROWS}`;
  connection.run(FORGET, ...range);
  for (const table of ['granules', 'granules_deleted', 'granule_history']) {
    if (connection.run(`DELETE FROM ${table} WHERE rowid IN (${some(table)})`, ...range) > 0) return true;
  }
  connection.run('DELETE FROM granule_staged WHERE kapsule = ?', purge.kapsule);
  connection.run('DELETE FROM granule_days WHERE kapsule = ?', purge.kapsule);
  connection.run('DELETE FROM granule_purges WHERE kapsule = ?', purge.kapsule);
  return true;
}
