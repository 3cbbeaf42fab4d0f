import type { WriteAction } from '@kaptain/contract/decide-write';
import { limits } from '@kaptain/contract/limits';
import type { ConflictCollector } from '../../../errors.ts';
import type { Session, Statement } from '../session.ts';
import type { Counter } from './counters.ts';
import { INPUT_DECISION } from './decision.ts';
import { INPUT_COLUMNS, prefixOf } from './input.ts';

/*
 * Writes the rows of an input over the granules of a kapsule in one statement: what is new is inserted, what differs
 * is replaced and its state kept, what was deleted comes back, what is the same stays untouched. Rows with the wrong
 * version are not written. No key may come twice in one input.
 */
const mergeOf = (input: string, answer: string) => `
  WITH input AS (${input}), matched AS MATERIALIZED (
    SELECT i.*, g.id AS known, g.version AS stored, g.change, ${INPUT_DECISION} AS action
    FROM input i LEFT JOIN kapsule_data.granules g ON g.place = $5 || i.place
  ), changed AS MATERIALIZED (
    SELECT *, $2::bigint + row_number() OVER (ORDER BY n) AS next FROM matched
    WHERE action IN ('insert', 'replace', 'revive')
  ), kept AS (
    INSERT INTO kapsule_data.granule_history (kapsule, id, version, updated_at, deleted_at, deleted_by, "user", data)
    SELECT g.kapsule, g.id, g.version, g.updated_at, g.deleted_at, g.deleted_by, g."user", g.data
    FROM changed c JOIN kapsule_data.granules g ON g.id = c.known
  ), updated AS (
    UPDATE kapsule_data.granules g SET version = g.version + 1, change = c.next, updated_at = $4, "user" = c."user",
      data = c.data, search = c.search, deleted_at = NULL, deleted_by = NULL
    FROM changed c WHERE g.id = c.known
  ), inserted AS (
    INSERT INTO kapsule_data.granules
      (id, kapsule, version, change, created_at, updated_at, place, long_key, "user", data, search)
    SELECT id, $1, 1, next, coalesce(created_at, $4), $4, $5 || place, long_key, "user", data, search
    FROM changed WHERE action = 'insert'
  )
  ${answer}`;

const COUNTS = `
  SELECT count(*) FILTER (WHERE action = 'insert') AS inserted, count(*) FILTER (WHERE action = 'replace') AS replaced,
    count(*) FILTER (WHERE action = 'revive') AS revived,
    count(*) FILTER (WHERE action = 'replace' AND change <= $3) AS overtaken
  FROM matched`;

const ROWS = `
  SELECT n, action, coalesce(known, id) AS id,
    coalesce(stored, 0) + CASE WHEN action IN ('same', 'conflict') THEN 0 ELSE 1 END AS version,
    change <= $3 AS overtaken
  FROM matched ORDER BY n`;

/** A source of rows: SQL whose last value is `given`. */
export interface Source {
  /** Of one that is used often. */
  name?: string;
  sql: string;
  values: unknown[];
}

export const fromJson = (rows: unknown): Source => ({
  name: 'json',
  sql: `SELECT * FROM json_to_recordset($6::json) AS i (${INPUT_COLUMNS})`,
  values: [JSON.stringify(rows)],
});

interface MergedRow {
  n: number;
  action: WriteAction;
  id: string;
  version: number;
  overtaken: boolean | null;
}

interface MergeCounts {
  inserted: number;
  replaced: number;
  revived: number;
  overtaken: number;
}

/** Merges few rows and says what became of each. */
export async function mergeRows(
  session: Session,
  counter: Counter,
  now: string,
  { sql, values }: Source,
): Promise<MergedRow[]> {
  const statement: Statement = { name: 'merge rows', text: mergeOf(sql, ROWS) };
  const rows = await session.all<MergedRow>(statement, ...valuesOf(counter, now), ...values);
  const count = (action: WriteAction) => rows.filter((row) => row.action === action).length;
  countMerged(counter, {
    inserted: count('insert'),
    replaced: count('replace'),
    revived: count('revive'),
    overtaken: rows.filter((row) => row.action === 'replace' && row.overtaken).length,
  });
  return rows;
}

/** Merges many rows. */
export async function mergeMany(
  session: Session,
  counter: Counter,
  now: string,
  { sql, values }: Source,
): Promise<void> {
  const counts = await session.get<MergeCounts>(mergeOf(sql, COUNTS), ...valuesOf(counter, now), ...values);
  if (!counts) throw new Error('Merging gave no answer.');
  countMerged(counter, counts);
}

const valuesOf = ({ kapsule, lastChange, reloadedThrough }: Counter, now: string) => [
  kapsule,
  lastChange,
  reloadedThrough,
  now,
  prefixOf(kapsule),
];

function countMerged(counter: Counter, { inserted, replaced, revived, overtaken }: MergeCounts): void {
  counter.lastChange += inserted + replaced + revived;
  counter.total += inserted + revived;
  counter.deleted -= revived;
  counter.reloaded -= overtaken;
}

interface ConflictRow {
  key: string;
  n: number;
  givenVersion: number;
  givenData: string | null;
  storedVersion: number | null;
  storedUser: string | null;
  storedData: string | null;
  bytes: number;
}

/** Before they are merged: what is given and what is stored, for the rows of the source with the wrong version. */
export async function readConflicts(
  session: Session,
  { kapsule }: Counter,
  { name, sql, values }: Source,
  conflicts: ConflictCollector,
): Promise<void> {
  const source = sql.replace(/\$(\d+)/g, (_, number: string) => `$${Number(number) - 4}`);
  // All are counted, but values are sent only as long as they fit into one answer. OFFSET 0 makes PostgreSQL look up each row by
  // its place: without statistics it believes that few rows are not deleted, and would compare all of them with each given one.
  const text = `
     SELECT n, key, "givenVersion", "storedVersion", "storedUser", bytes,
       CASE WHEN sum <= ${limits.pageBytes} OR sum = bytes THEN "givenData" END AS "givenData",
       CASE WHEN sum <= ${limits.pageBytes} OR sum = bytes THEN "storedData" END AS "storedData"
     FROM (SELECT *, sum(bytes) OVER (ORDER BY n) AS sum FROM (
       SELECT i.n, coalesce(i.long_key, i.place) AS key, i.version AS "givenVersion", i.data AS "givenData",
         g.version AS "storedVersion", g."user" AS "storedUser", g.data AS "storedData",
         octet_length(i.data) + coalesce(octet_length(g.data), 0) AS bytes
       FROM (${source}) i
       LEFT JOIN LATERAL (
         SELECT version, "user", data FROM kapsule_data.granules
         WHERE place = $1 || i.place AND deleted_at IS NULL OFFSET 0
       ) g ON true
       WHERE i.version <> coalesce(g.version, 0)
     ) sized) summed ORDER BY n`;
  const rows = await session.all<ConflictRow>(
    name ? { name: `conflicts of ${name}`, text } : text,
    prefixOf(kapsule),
    ...values,
  );
  for (const { n, bytes, givenData, storedVersion, storedData, ...row } of rows) {
    const conflict = () => ({
      ...row,
      givenData: parsed(givenData ?? '{}'),
      storedVersion: storedVersion ?? 0,
      storedData: storedData === null ? null : parsed(storedData),
    });
    conflicts.add(bytes, conflict, n);
  }
}

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;
