import type { Connection } from './connection.ts';
import { MOST_UNINDEXED_DOCUMENTS } from './tuning.ts';

/*
 * Audit entries are written with every change and read by their indexes seldom. Their index entries are made in the
 * background, many at a time: in the transaction of a save they were 6 of its 21 pages of the write-ahead log. One mark says up to
 * which id the indexes are complete; documents after it are read one by one.
 */

/** The noun whose indexes follow. */
export const LATE = 'audit';

/** A step of the migrations: the documents that are there have their index entries. */
export function lateIndexes(connection: Connection): void {
  connection.exec(
    'CREATE TABLE indexed_through (noun TEXT PRIMARY KEY, id TEXT NOT NULL) STRICT, WITHOUT ROWID',
  );
  const isThere = connection.get('SELECT 1 FROM sqlite_schema WHERE name = ?', LATE) !== undefined;
  const last = isThere
    ? (connection.get(`SELECT max(id) AS id FROM "${LATE}"`) as { id: string | null }).id
    : null;
  connection.run('INSERT INTO indexed_through (noun, id) VALUES (?, ?)', LATE, last ?? '');
}

/** The last id that the indexes know; they know every one below it. */
export function indexedThrough(connection: Connection): string {
  const sql = 'SELECT id FROM indexed_through WHERE noun = ?';
  return (connection.get(sql, LATE) as { id: string } | undefined)?.id ?? '';
}

export function moveIndexedThrough(connection: Connection, id: string): void {
  connection.run('UPDATE indexed_through SET id = ? WHERE noun = ?', id, LATE);
}

/** Selects a row when there are more documents after the mark. */
export const UNINDEXED_DOCUMENTS = `
  SELECT 1 FROM "${LATE}" WHERE id > (SELECT id FROM indexed_through WHERE noun = '${LATE}') LIMIT 1 OFFSET ${MOST_UNINDEXED_DOCUMENTS}`;

/** Sorts directly behind an id, because no id continues another one. */
export const justAfter = (id: string) => `${id} `;
