import { setTimeout } from 'node:timers/promises';
import type { Connection } from '../connection.ts';
import { inPieces } from '../waiting-writes.ts';
import { findCounter, saveReplacedThrough } from './counters.ts';
import { endLease, findLease } from './lease.ts';
import { replaceStaged } from './replace-staged.ts';

/*
 * An import that replaces very many granules would keep all other writers waiting. It is published with its audit entry first; then its
 * staged rows replace theirs in steps, and others write in between. Who writes a granule before its turn has it replaced first. After a
 * crash the next start does the rest.
 */

/** A step is made of a few slices, of fewer when other writes wait; a slice takes about 2 ms. */
const SLICES = 10;
const ROWS = 200;

const NEXT = `
  SELECT min(staged) AS first, max(staged) AS last FROM (
    SELECT staged FROM granule_staged NOT INDEXED WHERE kapsule = ? AND staged > ? ORDER BY staged LIMIT ${ROWS}
  )`;

/** Replaces some granules of the kapsule; returns false when its import has replaced them all. */
export function replaceMore(connection: Connection, kapsuleId: string): boolean {
  return inPieces(SLICES, () => replaceSlice(connection, kapsuleId));
}

/** One slice of it. */
export function replaceSlice(connection: Connection, kapsuleId: string): boolean {
  const counter = findCounter(connection, kapsuleId);
  // Without counters the kapsule was purged.
  if (!counter || counter.replacedThrough === null) return false;
  const { first, last } = connection.get(NEXT, counter.kapsule, counter.replacedThrough) as {
    first: number | null;
    last: number | null;
  };
  counter.replacedThrough = last;
  if (first !== null && last !== null) replaceStaged(connection, counter, first, last);
  saveReplacedThrough(connection, counter);
  const lease = last === null && findLease(connection, counter.kapsule);
  if (lease) endLease(connection, lease);
  return last !== null;
}

/** The kapsules in which a published import has still granules to replace. */
export const kapsulesToReplaceIn = (connection: Connection): string[] =>
  connection
    .all<{ kapsuleId: string }>('SELECT kapsuleId FROM granule_counts WHERE replacedThrough IS NOT NULL')
    .map(({ kapsuleId }) => kapsuleId);

const LOOK_MS = 50;
/** On a full disk the replacement may not go on for long. */
const LONGEST_MS = 60_000;

/** For reads of all granules, which should not see half of an import. */
export async function untilReplaced(connection: Connection, kapsuleId: string): Promise<void> {
  const end = performance.now() + LONGEST_MS;
  while (typeof findCounter(connection, kapsuleId)?.replacedThrough === 'number' && performance.now() < end)
    await setTimeout(LOOK_MS);
}
