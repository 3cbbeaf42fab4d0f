import type { Connection } from '../connection.ts';
import { SLICE_ROWS, STEP_SLICES } from '../tuning.ts';
import { inPieces } from '../waiting-writes.ts';
import { findCounter, firstRow, lastRow } from './counters.ts';
import { dropFieldIndex, fieldIndexes } from './field-indexes.ts';
import { dropSearchTable, hasSearchTable } from './search-table.ts';
import { dropStaged } from './sweep-imports.ts';

/** Removes the counters of a kapsule, without which its rows are invisible. */
export function purgeKapsule(connection: Connection, kapsuleId: string): void {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  connection.run('INSERT INTO granule_purges (kapsule) VALUES (?)', counter.kapsule);
  connection.run('DELETE FROM granule_counts WHERE kapsule = ?', counter.kapsule);
  connection.run('DELETE FROM granule_imports WHERE kapsule = ?', counter.kapsule);
}

/** Frees the space of some purged rows; returns false when there are none. */
export function purgeRows(connection: Connection): boolean {
  return inPieces(STEP_SLICES, () => purgeSlice(connection));
}

function purgeSlice(connection: Connection): boolean {
  const purge = connection.get('SELECT kapsule FROM granule_purges LIMIT 1') as
    | { kapsule: number }
    | undefined;
  if (!purge) return false;
  const [index] = fieldIndexes(connection, purge.kapsule);
  if (index) {
    dropFieldIndex(connection, index.number);
    return true;
  }
  const range = [firstRow(purge.kapsule), lastRow(purge.kapsule)];
  const some = (table: string) =>
    `SELECT rowid FROM ${table} WHERE row BETWEEN ? AND ? ORDER BY row LIMIT ${SLICE_ROWS}`;
  if (hasSearchTable(connection, purge.kapsule)) {
    dropSearchTable(connection, purge.kapsule);
    return true;
  }
  for (const table of ['granules', 'granules_deleted', 'granule_history', 'granule_unindexed']) {
    if (connection.run(`DELETE FROM ${table} WHERE rowid IN (${some(table)})`, ...range) > 0) return true;
  }
  if (dropStaged(connection, purge.kapsule)) return true;
  connection.run('DELETE FROM granule_days WHERE kapsule = ?', purge.kapsule);
  connection.run('DELETE FROM granule_purges WHERE kapsule = ?', purge.kapsule);
  return true;
}
