import { type SortField, sortValueOf } from '@kaptain/contract/field-conditions';
import { yieldProcessor } from '../../../background-thread.ts';
import type { Connection } from '../connection.ts';
import { FIELD_INDEX_STEP_CHARACTERS, FIELD_INDEX_STEP_ROWS } from '../tuning.ts';
import { endsForOthers } from '../waiting-writes.ts';
import { fieldTable, OTHER_TYPE } from './field-indexes.ts';

/** The index that is used most, of those that do not know all changes of their kapsule. */
export const BEHIND = `
  SELECT f.number, f.field AS name, f.type, f.through, c.kapsule, c.lastChange
  FROM granule_field_indexes f JOIN granule_counts c ON c.kapsule = f.kapsule
  WHERE f.through < c.lastChange ORDER BY f.usedAt DESC LIMIT 1`;

const CHANGED = `
  SELECT row, change, data FROM granules INDEXED BY granules_change
  WHERE kapsule = ? AND change > ? AND change <= ? ORDER BY change LIMIT ${FIELD_INDEX_STEP_ROWS}`;

interface Behind extends SortField {
  number: number;
  through: number;
  kapsule: number;
  lastChange: number;
}

/** Takes the next changed granules into the index of a field; false when all indexes know all changes. */
export function indexFields(connection: Connection): boolean {
  const behind = connection.get(BEHIND) as Behind | undefined;
  if (!behind) return false;
  const through = takeChanged(connection, behind);
  connection.run('UPDATE granule_field_indexes SET through = ? WHERE number = ?', through, behind.number);
  return true;
}

/** Returns the change up to which the index knows the granules. */
function takeChanged(connection: Connection, behind: Behind): number {
  const { kapsule, through, lastChange } = behind;
  const store = `INSERT OR REPLACE INTO ${fieldTable(behind.number)} (row, value) VALUES (?, ?)`;
  const isEnough = endsForOthers();
  let reached = through;
  let rows = 0;
  let characters = 0;
  for (const [row, change, data] of connection.each(CHANGED, kapsule, through, lastChange)) {
    yieldProcessor();
    const value = sortValueOf(behind, JSON.parse(data as string) as Record<string, unknown>);
    connection.run(store, row as number, value === false ? OTHER_TYPE : value);
    reached = change as number;
    rows += 1;
    characters += (data as string).length;
    if (characters >= FIELD_INDEX_STEP_CHARACTERS || isEnough()) return reached;
  }
  return rows < FIELD_INDEX_STEP_ROWS ? lastChange : reached;
}
