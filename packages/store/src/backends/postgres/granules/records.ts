import { BYTES_BESIDE_DATA } from '@kaptain/contract/granule-records';
import { limits } from '@kaptain/contract/limits';
import type { GranuleRecord, GranuleState } from '../../../granules.ts';
import type { Session } from '../session.ts';

/** A record whose data is still JSON text. */
type TextRecord = Omit<GranuleRecord, 'data'> & { data: string };
type TextState = Omit<GranuleState, 'data'> & { data: string };

/** A granule is reloaded when its last change was taken over; a deleted one never is. */
const IS_RELOADED = '(g.deleted_at IS NULL AND g.change <= c.reloaded_through)';
export const KEY = "coalesce(g.long_key, substr(g.place, strpos(g.place, ':') + 1))";

/** The columns of a record of `g`, whose counters are `c`. */
const COLUMNS = `
  g.id, c.kapsule_id AS "kapsuleId", ${KEY} AS key, g."user", g.data, ${IS_RELOADED} AS reloaded,
  g.created_at AS "createdAt", g.updated_at AS "updatedAt", g.version, g.deleted_at AS "deletedAt",
  g.deleted_by AS "deletedBy"`;

const COUNTED = 'kapsule_data.granules g JOIN kapsule_data.granule_counts c USING (kapsule)';

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;
const toRecord = (row: TextRecord): GranuleRecord => ({ ...row, data: parsed(row.data) });

const ONE = { name: 'granule', text: `SELECT ${COLUMNS} FROM ${COUNTED} WHERE g.id = $1` };

export async function readRecord(session: Session, id: string): Promise<GranuleRecord | undefined> {
  const row = await session.get<TextRecord>(ONE, id);
  return row && toRecord(row);
}

/** PostgreSQL knows the length of a text without reading it. */
const bytesOf = (...columns: string[]) =>
  `${BYTES_BESIDE_DATA} + ${columns.map((column) => `octet_length(${column})`).join(' + ')}`;

/** The first one, and those behind it as long as all together are no larger than a page may be. */
const fitting = (of: string, order: string) => `
  SELECT * FROM (SELECT *, sum(bytes) OVER (ORDER BY ${order}) AS sum FROM (${of}) sized) summed
  WHERE sum <= ${limits.pageBytes} OR sum = bytes ORDER BY ${order}`;

const MANY = fitting(
  `SELECT ${COLUMNS}, wanted.n, ${bytesOf(KEY, 'g."user"', 'g.data')} AS bytes
   FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, n)
   JOIN kapsule_data.granules g ON g.id = wanted.id JOIN kapsule_data.granule_counts c USING (kapsule)`,
  'n',
);

interface Summed {
  n: number;
  bytes: number;
  sum: number;
}

/** In the order of the ids: the first ones, as many as a page may hold. */
export async function readRecords(session: Session, ids: readonly string[]): Promise<GranuleRecord[]> {
  const rows = await session.all<TextRecord & Summed>(MANY, ids);
  return rows.map(({ n: _n, bytes: _bytes, sum: _sum, ...row }) => toRecord(row));
}

export async function readKapsulesOf(session: Session, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.all<{ id: string; kapsuleId: string }>(
    `SELECT g.id, c.kapsule_id AS "kapsuleId" FROM ${COUNTED} WHERE g.id = ANY($1)`,
    ids,
  );
  return new Map(rows.map(({ id, kapsuleId }) => [id, kapsuleId]));
}

const HISTORY = fitting(
  `WITH present AS (SELECT g.* FROM ${COUNTED} WHERE g.id = $1), states AS (
     SELECT version, "user", data, updated_at AS "updatedAt", deleted_at AS "deletedAt", deleted_by AS "deletedBy",
       NULL AS "restoredBy" FROM present
     UNION ALL
     SELECT h.version, h."user", h.data, h.updated_at, h.deleted_at, h.deleted_by, h.restored_by
     FROM present p JOIN kapsule_data.granule_history h ON h.kapsule = p.kapsule AND h.id = p.id
   )
   SELECT *, ${bytesOf('"user"', 'data')} AS bytes FROM states WHERE version < $2`,
  'version DESC',
);

export async function readHistory(
  session: Session,
  id: string,
  before = Number.MAX_SAFE_INTEGER,
): Promise<GranuleState[]> {
  const rows = await session.all<TextState & Summed>(HISTORY, id, before);
  return rows.map(({ bytes: _bytes, sum: _sum, ...row }) => ({ ...row, data: parsed(row.data) }));
}
