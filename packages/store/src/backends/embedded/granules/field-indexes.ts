import type { SortField } from '@kaptain/contract/field-conditions';
import { type FieldIndex, fieldsToNote, isSameField, roomFor } from '../../shared/field-index.ts';
import { FIELD_INDEX_UNUSED_MS } from '../../shared/tuning.ts';
import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';

/** The value of a granule of another type than its field: SQLite sorts it after numbers and texts, and NULL, an empty one, before. */
export const OTHER_TYPE = new Uint8Array();

export const fieldTable = (index: number) => `granule_field_${index}`;

const OF_KAPSULE = `
  SELECT number, field AS name, type, through, createdAt, usedAt FROM granule_field_indexes WHERE kapsule = ?`;

export const fieldIndexes = (connection: Connection, kapsule: number): FieldIndex[] =>
  connection.all<FieldIndex>(OF_KAPSULE, kapsule);

/** Those of the fields whose use is to be noted. */
export function unnotedFields(
  connection: Connection,
  kapsuleId: string,
  fields: readonly SortField[],
): SortField[] {
  const counter = fields.length === 0 ? undefined : findCounter(connection, kapsuleId);
  return counter ? fieldsToNote(counter.total, fieldIndexes(connection, counter.kapsule), fields) : [];
}

/** Notes the use of the fields; those without an index get one, which is filled step by step. */
export function noteFields(connection: Connection, kapsuleId: string, fields: readonly SortField[]): void {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return;
  for (const field of fields) noteField(connection, counter.kapsule, field, Date.now());
}

function noteField(connection: Connection, kapsule: number, field: SortField, now: number): void {
  const indexes = fieldIndexes(connection, kapsule);
  const existing = indexes.find((index) => isSameField(index, field));
  if (existing) {
    connection.run('UPDATE granule_field_indexes SET usedAt = ? WHERE number = ?', now, existing.number);
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
  const unused = connection.get(UNUSED, Date.now() - FIELD_INDEX_UNUSED_MS) as { number: number } | undefined;
  if (unused) dropFieldIndex(connection, unused.number);
  return unused !== undefined;
}
