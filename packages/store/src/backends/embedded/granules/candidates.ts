import type { Connection } from '../connection.ts';
import { firstRow, lastRow } from './counters.ts';
import type { Selection } from './selection.ts';

const TRIGRAM = 3;
/** A trigram in fewer rows than this decides alone: fetching those costs less than comparing long lists. */
const RARE = 1_000;
const MAX_PROBES = 16;

const PROBE = `
  SELECT count(*) AS rows FROM (
    SELECT 1 FROM granule_search WHERE granule_search MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${RARE}
  )`;

/** Every row whose text may contain what is searched: found by its trigrams, or not known to the index yet. */
const ALL = `
  SELECT rowid AS row FROM granule_search WHERE granule_search MATCH ?1 AND rowid BETWEEN ?2 AND ?3
  UNION SELECT row FROM granule_unindexed WHERE row BETWEEN ?2 AND ?3`;

const FEW = `
  SELECT count(*) AS count, json_group_array(row) AS list FROM (
    SELECT row FROM (
      SELECT rowid AS row FROM granule_search WHERE granule_search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT ?4
    ) UNION SELECT row FROM (SELECT row FROM granule_unindexed WHERE row BETWEEN ?2 AND ?3 LIMIT ?4)
  )`;

export interface Candidates {
  /** Selects their `row`, with these as the first values. */
  sql: string;
  values: (string | number)[];
  /** No more than the limit. */
  areFew: boolean;
}

/** Asks the index; undefined when it can't help. */
export function candidatesOf(
  connection: Connection,
  { table, kapsule, q }: Selection,
  limit: number,
): Candidates | undefined {
  const characters = Array.from(q);
  if (table !== 'granules' || characters.length < TRIGRAM) return undefined;
  const range = [firstRow(kapsule), lastRow(kapsule)] as const;
  const values = [matchOf(connection, characters, range), ...range];
  const few = connection.get(FEW, ...values, limit + 1) as { count: number; list: string };
  return few.count <= limit
    ? { sql: 'SELECT value AS row FROM json_each(?1)', values: [few.list], areFew: true }
    : { sql: ALL, values, areFew: false };
}

/** The rarest trigrams alone when one is rare; otherwise as many as cover the text. */
function matchOf(connection: Connection, characters: string[], range: readonly [number, number]): string {
  const last = characters.length - TRIGRAM;
  const starts = Array.from({ length: last + 1 }, (_, start) => start);
  const trigrams = (isWanted: (start: number) => boolean) => [
    ...new Set(
      starts
        .filter((start) => isWanted(start) || start === last)
        .map((start) => quoted(characters.slice(start, start + TRIGRAM).join(''))),
    ),
  ];
  const step = Math.ceil(starts.length / MAX_PROBES);
  const probed = trigrams((start) => start % step === 0).map((trigram) => ({
    trigram,
    ...(connection.get(PROBE, trigram, ...range) as { rows: number }),
  }));
  const rare = probed.filter(({ rows }) => rows < RARE).sort((a, b) => a.rows - b.rows);
  if (rare.length === 0) return trigrams((start) => start % TRIGRAM === 0).join(' ');
  return rare
    .slice(0, 2)
    .map(({ trigram }) => trigram)
    .join(' ');
}

/** Quoted, no character of a trigram means anything to the index. */
const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;
