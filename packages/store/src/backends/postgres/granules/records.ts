import type { GranuleRecord, GranuleState } from '../../../granules.ts';
import type { Session } from '../session.ts';

/** A record whose data is still JSON text. */
type TextRecord = Omit<GranuleRecord, 'data'> & { data: string };
type TextState = Omit<GranuleState, 'data'> & { data: string };

/** A granule is reloaded when its last change was taken over; a deleted one never is. */
export const IS_RELOADED = '(g.deleted_at IS NULL AND g.change <= c.reloaded_through)';
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

/** In the order of the ids. */
export async function readRecords(session: Session, ids: readonly string[]): Promise<GranuleRecord[]> {
  const rows = await session.all<TextRecord>(
    `SELECT ${COLUMNS} FROM unnest($1::text[]) WITH ORDINALITY AS wanted (id, n)
     JOIN kapsule_data.granules g ON g.id = wanted.id JOIN kapsule_data.granule_counts c USING (kapsule)
     ORDER BY wanted.n`,
    ids,
  );
  return rows.map(toRecord);
}

export async function readKapsulesOf(session: Session, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await session.all<{ id: string; kapsuleId: string }>(
    `SELECT g.id, c.kapsule_id AS "kapsuleId" FROM ${COUNTED} WHERE g.id = ANY($1)`,
    ids,
  );
  return new Map(rows.map(({ id, kapsuleId }) => [id, kapsuleId]));
}

const HISTORY = `
  WITH present AS (SELECT g.* FROM ${COUNTED} WHERE g.id = $1)
  SELECT version, "user", data, updated_at AS "updatedAt", deleted_at AS "deletedAt", deleted_by AS "deletedBy",
    NULL AS "restoredBy" FROM present
  UNION ALL
  SELECT h.version, h."user", h.data, h.updated_at, h.deleted_at, h.deleted_by, h.restored_by
  FROM present p JOIN kapsule_data.granule_history h ON h.kapsule = p.kapsule AND h.id = p.id
  ORDER BY version DESC`;

export async function readHistory(session: Session, id: string): Promise<GranuleState[]> {
  const rows = await session.all<TextState>(HISTORY, id);
  return rows.map((row) => ({ ...row, data: parsed(row.data) }));
}
