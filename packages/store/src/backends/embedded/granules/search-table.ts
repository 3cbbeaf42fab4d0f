import type { Connection } from '../connection.ts';

export const searchTable = (kapsule: number) => `granule_search_${kapsule}`;
/** Every trigram of the index with the rows that have it. */
export const termsTable = (kapsule: number) => `granule_terms_${kapsule}`;

export function hasSearchTable(connection: Connection, kapsule: number): boolean {
  return connection.get('SELECT 1 FROM granule_indexes WHERE kapsule = ?', kapsule) !== undefined;
}

/**
 * An index of the trigrams of the folded text. Candidates are compared with the text itself, so trigrams need
 * no positions, and a stale entry costs a comparison but never a wrong answer. Therefore an edit only adds
 * to the index: deleting from it made single steps take 14 s (docs/decisions/005-search.md).
 */
export function createSearchTable(connection: Connection, kapsule: number): void {
  connection.exec(`
    CREATE VIRTUAL TABLE ${searchTable(kapsule)} USING fts5 (
      text, content = '', columnsize = 0, detail = none, tokenize = 'trigram case_sensitive 1'
    );
    CREATE VIRTUAL TABLE ${termsTable(kapsule)} USING fts5vocab ('${searchTable(kapsule)}', 'instance');`);
  connection.run('INSERT INTO granule_indexes (kapsule) VALUES (?)', kapsule);
}

export function dropSearchTable(connection: Connection, kapsule: number): void {
  connection.exec(`DROP TABLE ${termsTable(kapsule)}; DROP TABLE ${searchTable(kapsule)}`);
  connection.run('DELETE FROM granule_indexes WHERE kapsule = ?', kapsule);
}
