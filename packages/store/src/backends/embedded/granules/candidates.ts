import type { Connection } from '../connection.ts';
import { firstRow, lastRow } from './counters.ts';
import type { Selection } from './selection.ts';

const TRIGRAM = 3;
/** A trigram in fewer rows than this decides alone: fetching those costs less than comparing long lists. */
const FEW = 1_000;
const MAX_PROBES = 16;

const PROBE = `
  SELECT count(*) AS rows FROM (
    SELECT 1 FROM granule_search WHERE granule_search MATCH ? AND rowid BETWEEN ? AND ? LIMIT ${FEW}
  )`;

/** Every row whose text may contain what is searched: found by its trigrams, or not known to the index yet. */
export const CANDIDATES = `
  SELECT rowid AS row FROM granule_search WHERE granule_search MATCH ?1 AND rowid BETWEEN ?2 AND ?3
  UNION SELECT row FROM granule_unindexed WHERE row BETWEEN ?2 AND ?3`;

const COUNT = `
  SELECT (SELECT count(*) FROM (
    SELECT 1 FROM granule_search WHERE granule_search MATCH ?1 AND rowid BETWEEN ?2 AND ?3 LIMIT ?4
  )) + (SELECT count(*) FROM (SELECT 1 FROM granule_unindexed WHERE row BETWEEN ?2 AND ?3 LIMIT ?4)) AS rows`;

export interface Candidates {
  /** For CANDIDATES. */
  values: [match: string, first: number, last: number];
  /** An upper bound of their number, not counted beyond the limit. */
  count: number;
}

/** Asks the index; undefined when it can't help. */
export function candidatesOf(
  connection: Connection,
  { table, kapsule, q }: Selection,
  limit: number,
): Candidates | undefined {
  const characters = [...q];
  if (table !== 'granules' || characters.length < TRIGRAM) return undefined;
  const range = [firstRow(kapsule), lastRow(kapsule)] as const;
  const values: Candidates['values'] = [matchOf(connection, characters, range), ...range];
  const { rows } = connection.get(COUNT, ...values, limit) as { rows: number };
  return { values, count: rows };
}

/** The rarest trigrams alone when one is rare; otherwise as many as cover the text. */
function matchOf(connection: Connection, characters: string[], range: readonly [number, number]): string {
  const last = characters.length - TRIGRAM;
  const starts = Array.from({ length: last + 1 }, (_, start) => start);
  const at = (start: number) => quoted(characters.slice(start, start + TRIGRAM).join(''));
  const step = Math.ceil(starts.length / MAX_PROBES);
  const probed = [...new Set(starts.filter((start) => start % step === 0 || start === last).map(at))].map(
    (trigram) => ({ trigram, ...(connection.get(PROBE, trigram, ...range) as { rows: number }) }),
  );
  const rare = probed.filter(({ rows }) => rows < FEW).sort((a, b) => a.rows - b.rows);
  if (rare.length > 0)
    return rare
      .slice(0, 2)
      .map(({ trigram }) => trigram)
      .join(' ');
  return [...new Set(starts.filter((start) => start % TRIGRAM === 0 || start === last).map(at))].join(' ');
}

/** Quoted, no character of a trigram means anything to the index. */
const quoted = (trigram: string) => `"${trigram.replaceAll('"', '""')}"`;
