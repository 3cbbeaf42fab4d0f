import { PageRoom } from '../../../errors.ts';
import type { GranuleRecord, GranuleState } from '../../../granules.ts';
import type { Connection } from '../connection.ts';

/** A record whose data is still JSON text, as it crosses from a reader's thread. */
export type TextRecord = Omit<GranuleRecord, 'data' | 'reloaded'> & { data: string; reloaded: number };
type TextState = Omit<GranuleState, 'data'> & { data: string };

/** The columns of a record of `g`, whose counters are `c`; reloaded is what a reload of the app in Qlik has read. */
export const columnsOf = {
  granules: `
    g.id, c.kapsuleId, g.key, g.user, g.data, g.change <= c.reloadedThrough AS reloaded, g.createdAt, g.updatedAt,
    g.version, NULL AS deletedAt, NULL AS deletedBy`,
  granules_deleted: `
    g.id, c.kapsuleId, g.key, g.user, g.data, 0 AS reloaded, g.createdAt, g.updatedAt,
    g.version, g.deletedAt, g.deletedBy`,
} as const;

export type Table = keyof typeof columnsOf;

/** Excludes the invisible rows of an unpublished import. */
const FROM_COUNTED = 'g JOIN granule_counts c ON c.kapsule = g.kapsule AND g.change <= c.lastChange';

const parsed = (data: string) => JSON.parse(data) as Record<string, unknown>;

export const toRecord = (row: TextRecord): GranuleRecord => ({
  ...row,
  data: parsed(row.data),
  reloaded: row.reloaded === 1,
});

export const toState = (row: TextState): GranuleState => ({ ...row, data: parsed(row.data) });

export function readRecord(connection: Connection, id: string): TextRecord | undefined {
  for (const table of ['granules', 'granules_deleted'] as const) {
    const sql = `SELECT ${columnsOf[table]} FROM ${table} ${FROM_COUNTED} WHERE g.id = ?`;
    const row = connection.get(sql, id) as TextRecord | undefined;
    if (row) return { ...row };
  }
  return undefined;
}

export function readKapsulesOf(connection: Connection, ids: readonly string[]): [string, string][] {
  const found: [string, string][] = [];
  for (const id of ids) {
    const row = (['granules', 'granules_deleted'] as const)
      .values()
      .map((table) => connection.get(`SELECT c.kapsuleId FROM ${table} ${FROM_COUNTED} WHERE g.id = ?`, id))
      .find((known) => known !== undefined) as { kapsuleId: string } | undefined;
    if (row) found.push([id, row.kapsuleId]);
  }
  return found;
}

const PRESENT = `
  SELECT g.row, g.version, g.user, g.data, g.updatedAt, NULL AS deletedAt, NULL AS deletedBy, NULL AS restoredBy
  FROM granules ${FROM_COUNTED} WHERE g.id = ?1
  UNION ALL
  SELECT g.row, g.version, g.user, g.data, g.updatedAt, g.deletedAt, g.deletedBy, NULL
  FROM granules_deleted ${FROM_COUNTED} WHERE g.id = ?1`;

const EARLIER_SIZES = `
  SELECT version, octet_length(user) + octet_length(data) AS bytes FROM granule_history
  WHERE row = ? AND version < ? ORDER BY version DESC`;

const EARLIER = `
  SELECT version, user, data, updatedAt, deletedAt, deletedBy, restoredBy FROM granule_history
  WHERE row = ? AND version BETWEEN ? AND ? ORDER BY version DESC`;

export function readHistory(
  connection: Connection,
  id: string,
  before = Number.MAX_SAFE_INTEGER,
): TextState[] {
  const present = connection.get(PRESENT, id) as (TextState & { row: number }) | undefined;
  if (!present) return [];
  const { row, ...state } = present;
  const room = new PageRoom();
  const states = state.version < before ? [state] : [];
  if (states.length > 0) room.takes(Buffer.byteLength(state.data));
  const last = Math.min(before, state.version) - 1;
  let first = last + 1;
  for (const [version, bytes] of connection.each(EARLIER_SIZES, row, last + 1)) {
    if (!room.takes(bytes as number)) break;
    first = version as number;
  }
  const earlier = connection.all<TextState>(EARLIER, row, first, last);
  return [...states, ...earlier.map((found) => ({ ...found }))];
}
