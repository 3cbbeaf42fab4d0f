import type { Connection } from '../connection.ts';
import { REPLACE_SLICE_BYTES, REPLACE_SLICE_ROWS, STEP_SLICES } from '../tuning.ts';
import { inPieces } from '../waiting-writes.ts';
import { findCounter, saveReplacedThrough } from './counters.ts';
import { endLease, findLease } from './lease.ts';
import { FROM_STAGED, replaceStaged } from './replace-staged.ts';

/*
 * An import that replaces very many granules would keep all other writers waiting. It is published with its audit entry first; then its
 * staged rows replace theirs in steps, and others write in between. A save to a row that still waits applies the import to it first. After a
 * crash the next start does the rest.
 */

/** With the bytes that are written: the new data, and what goes to the history. */
const NEXT = `
  SELECT s.staged, octet_length(s.data) + coalesce(octet_length(g.data), 0) AS bytes
  FROM ${FROM_STAGED} LEFT JOIN granules g ON g.row = s.row
  WHERE s.kapsule = ? AND s.staged > ? ORDER BY s.staged LIMIT ${REPLACE_SLICE_ROWS}`;

/** Replaces some granules of the kapsule; returns false when its import has replaced them all. */
export function replaceMore(connection: Connection, kapsuleId: string): boolean {
  return inPieces(STEP_SLICES, () => replaceSlice(connection, kapsuleId));
}

/** One slice of it. */
export function replaceSlice(connection: Connection, kapsuleId: string): boolean {
  const counter = findCounter(connection, kapsuleId);
  // Without counters the kapsule was purged.
  if (!counter || counter.replacedThrough === null) return false;
  const slice = nextSlice(connection, counter.kapsule, counter.replacedThrough);
  counter.replacedThrough = slice?.last ?? null;
  if (slice) replaceStaged(connection, counter, slice.first, slice.last);
  saveReplacedThrough(connection, counter);
  const lease = !slice && findLease(connection, counter.kapsule);
  if (lease) endLease(connection, lease);
  return slice !== undefined;
}

/** The numbers of the next staged rows; undefined when there are none. */
function nextSlice(
  connection: Connection,
  kapsule: number,
  after: number,
): { first: number; last: number } | undefined {
  const rows = connection.all<{ staged: number; bytes: number }>(NEXT, kapsule, after);
  const [head] = rows;
  if (!head) return undefined;
  let bytes = 0;
  const tooLarge = rows.findIndex((row, index) => (bytes += row.bytes) > REPLACE_SLICE_BYTES && index > 0);
  return { first: head.staged, last: rows.at(tooLarge === -1 ? -1 : tooLarge - 1)?.staged ?? head.staged };
}

/** The kapsules in which a published import has still granules to replace. */
export const kapsulesToReplaceIn = (connection: Connection): string[] =>
  connection
    .all<{ kapsuleId: string }>('SELECT kapsuleId FROM granule_counts WHERE replacedThrough IS NOT NULL')
    .map(({ kapsuleId }) => kapsuleId);
