import type { Connection } from '../connection.ts';
import { RARE_TRIGRAM_ROWS, TRIGRAM_PROBES } from '../tuning.ts';
import { firstRow, lastRow } from './counters.ts';
import type { Narrowing } from './field-narrowing.ts';
import { hasSearchTable, searchTable, termsTable } from './search-table.ts';
import type { Selection } from './selection.ts';

const TRIGRAM = 3;

/** Rows that are not indexed yet, or all rows when there is no index. */
const UNINDEXED = 'SELECT row FROM granule_unindexed WHERE row BETWEEN ? AND ?';

interface Rows {
  /** Selects their `row`, with these values. */
  sql: string;
  values: (string | number | Uint8Array)[];
}

export interface Candidates extends Rows {
  /** No more than the limit. */
  areFew: boolean;
}

/** The rows that may match, by the index of a field with few of them or by the search; undefined when all rows may. */
export function candidatesOf(
  connection: Connection,
  selection: Selection,
  limit: number,
): Candidates | undefined {
  for (const narrowing of selection.narrowings) {
    const found = candidatesIn(connection, narrowed(selection, narrowing), limit);
    if (found.areFew) return found;
  }
  return selection.q === '' ? undefined : candidatesBySearch(connection, selection, limit);
}

/** The rows in a part of a field's index, and those that it does not know yet. */
function narrowed({ kapsule, through: last }: Selection, { table, through, entries }: Narrowing): Rows[] {
  return [
    { sql: `SELECT f.row FROM ${table} f WHERE ${entries.sql}`, values: entries.values },
    {
      sql: 'SELECT row FROM granules WHERE kapsule = ? AND change > ? AND change <= ?',
      values: [kapsule, through, last],
    },
  ];
}

function candidatesBySearch(
  connection: Connection,
  { table, kapsule, q }: Selection,
  limit: number,
): Candidates | undefined {
  if (table !== 'granules') return undefined;
  const sources: Rows[] = [{ sql: UNINDEXED, values: [firstRow(kapsule), lastRow(kapsule)] }];
  if (hasSearchTable(connection, kapsule)) sources.push(indexed(connection, kapsule, q));
  return candidatesIn(connection, sources, limit);
}

function candidatesIn(connection: Connection, sources: readonly Rows[], limit: number): Candidates {
  const all = union(sources);
  const few = union(
    sources.map(({ sql, values }) => ({
      sql: `SELECT row FROM (${sql} LIMIT ?)`,
      values: [...values, limit + 1],
    })),
  );
  const { count, list } = connection.get(
    `SELECT count(*) AS count, json_group_array(row) AS list FROM (${few.sql})`,
    ...few.values,
  ) as { count: number; list: string };
  return count <= limit
    ? { sql: 'SELECT value AS row FROM json_each(?)', values: [list], areFew: true }
    : { ...all, areFew: false };
}

function union(sources: readonly Rows[]): Rows {
  return {
    sql: sources.map(({ sql }) => sql).join(' UNION '),
    values: sources.flatMap(({ values }) => values),
  };
}

function indexed(connection: Connection, kapsule: number, q: string): Rows {
  const characters = Array.from(q);
  if (characters.length < TRIGRAM) {
    const sql = `SELECT DISTINCT doc AS row FROM ${termsTable(kapsule)} WHERE term BETWEEN ? AND ?`;
    return { sql, values: [q, `${q}\u{10ffff}\u{10ffff}`] };
  }
  const name = searchTable(kapsule);
  const sql = `SELECT rowid AS row FROM ${name} WHERE ${name} MATCH ?`;
  return { sql, values: [matchOf(connection, characters, sql)] };
}

/** The rarest trigrams alone when one is rare; otherwise as many as cover the text. */
function matchOf(connection: Connection, characters: string[], matches: string): string {
  const last = characters.length - TRIGRAM;
  const starts = Array.from({ length: last + 1 }, (_, start) => start);
  const trigrams = (isWanted: (start: number) => boolean) => [
    ...new Set(
      starts
        .filter((start) => isWanted(start) || start === last)
        .map((start) => quoted(characters.slice(start, start + TRIGRAM).join(''))),
    ),
  ];
  const step = Math.ceil(starts.length / TRIGRAM_PROBES);
  const probe = `SELECT count(*) AS rows FROM (${matches} LIMIT ${RARE_TRIGRAM_ROWS})`;
  const probed = trigrams((start) => start % step === 0).map((trigram) => ({
    trigram,
    ...(connection.get(probe, trigram) as { rows: number }),
  }));
  const rare = probed.filter(({ rows }) => rows < RARE_TRIGRAM_ROWS).sort((a, b) => a.rows - b.rows);
  if (rare.length === 0) return trigrams((start) => start % TRIGRAM === 0).join(' ');
  return rare
    .slice(0, 2)
    .map(({ trigram }) => trigram)
    .join(' ');
}

/** Quoted, because some characters have a meaning in the query language of FTS5. */
const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;
