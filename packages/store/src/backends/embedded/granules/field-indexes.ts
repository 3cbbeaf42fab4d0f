import type { SortField } from '@kaptain/contract/field-conditions';
import { FEWEST_ROWS, isSameField, roomFor, UNUSED_MS, USE_MS } from '../../shared/field-index.ts';
import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';

export interface FieldIndex extends SortField {
  number: number;
  /** The index knows every granule as it was at this change. */
  through: number;
  createdAt: number;
  usedAt: number;
}

/** The value of a granule of another type than its field: SQLite sorts it after numbers and texts, and NULL, an empty one, before. */
export const OTHER_TYPE = new Uint8Array();

export const fieldTable = (index: number) => `granule_field_${index}`;

const OF_KAPSULE = `
  SELECT number, field AS name, type, through, createdAt, usedAt FROM granule_field_indexes WHERE kapsule = ?`;

export const fieldIndexes = (connection: Connection, kapsule: number): FieldIndex[] =>
  connection.all<FieldIndex>(OF_KAPSULE, kapsule);

/** Those of the fields that have no index, or one whose last use was not noted for long. */
export function fieldsToNote(
  connection: Connection,
  kapsuleId: string,
  fields: readonly SortField[],
): SortField[] {
  const counter = fields.length === 0 ? undefined : findCounter(connection, kapsuleId);
  if (!counter || counter.total < FEWEST_ROWS) return [];
  const known = fieldIndexes(connection, counter.kapsule);
  const isNoted = (field: SortField) =>
    known.some((index) => isSameField(index, field) && Date.now() - index.usedAt < USE_MS);
  return fields.filter((field) => !isNoted(field));
}

/** Notes the use of the fields; those without an index get one, which is filled step by step. */
export function noteFields(connection: Connection, kapsuleId: string, fields: readonly SortField[]): void {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  for (const field of fields) noteField(connection, counter.kapsule, field, Date.now());
}

function noteField(connection: Connection, kapsule: number, field: SortField, now: number): void {
  const indexes = fieldIndexes(connection, kapsule);
  const known = indexes.find((index) => isSameField(index, field));
  if (known) {
    connection.run('UPDATE granule_field_indexes SET usedAt = ? WHERE number = ?', now, known.number);
    return;
  }
  const room = roomFor(indexes, now);
  if (!room) return;
  if (room.leaves !== undefined) dropFieldIndex(connection, room.leaves);
  const { number } = connection.get(
    `INSERT INTO granule_field_indexes (kapsule, field, type, through, createdAt, usedAt)
     VALUES (?, ?, ?, 0, ?, ?) RETURNING number`,
    kapsule,
    field.name,
    field.type,
    now,
    now,
  ) as { number: number };
  const table = fieldTable(number);
  connection.exec(`
    CREATE TABLE ${table} (row INTEGER PRIMARY KEY, value ANY) STRICT;
    CREATE INDEX ${table}_value ON ${table} (value, row)`);
}

export function dropFieldIndex(connection: Connection, number: number): void {
  connection.exec(`DROP TABLE ${fieldTable(number)}`);
  connection.run('DELETE FROM granule_field_indexes WHERE number = ?', number);
}

/** Removes a deleted granule from the indexes of its kapsule. */
export function removeFromIndexes(connection: Connection, indexes: readonly FieldIndex[], row: number): void {
  for (const { number } of indexes) connection.run(`DELETE FROM ${fieldTable(number)} WHERE row = ?`, row);
}

export const UNUSED = 'SELECT number FROM granule_field_indexes WHERE usedAt < ? LIMIT 1';

/** Drops an index that was not used for long; false when there is none. */
export function dropUnused(connection: Connection): boolean {
  const unused = connection.get(UNUSED, Date.now() - UNUSED_MS) as { number: number } | undefined;
  if (unused) dropFieldIndex(connection, unused.number);
  return unused !== undefined;
}
