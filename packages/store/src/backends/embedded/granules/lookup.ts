import { countThatFits } from '@kaptain/contract/granule-records';
import type { Connection } from '../connection.ts';
import { findCounter } from './counters.ts';
import { readRows } from './page.ts';
import type { TextRecord } from './records.ts';

const SIZES = `
  SELECT wanted.key AS position, g.row, octet_length(g.key) + octet_length(g.user) + octet_length(g.data) AS bytes
  FROM json_each(?) wanted CROSS JOIN granules g INDEXED BY granules_key ON g.kapsule = ? AND g.key = wanted.value
  WHERE g.change <= ?`;

interface Found {
  position: number;
  row: number;
  bytes: number;
}

/** Measures the rows first, because 1,000 keys may have more bytes than one answer may hold. */
export function readLookup(
  connection: Connection,
  kapsuleId: string,
  keys: readonly string[],
): (TextRecord | null)[] {
  const counter = findCounter(connection, kapsuleId);
  if (!counter) return keys.map(() => null);
  const found = new Map(
    connection
      .all<Found>(SIZES, JSON.stringify(keys), counter.kapsule, counter.lastChange)
      .map(({ position, row, bytes }) => [position, { row, bytes }]),
  );
  const positions = keys
    .slice(0, countThatFits(keys.map((_, position) => found.get(position)?.bytes)))
    .keys();
  const wanted = [...positions].map((position) => found.get(position)?.row);
  const rows = wanted.filter((row) => row !== undefined);
  const records = readRows(connection, 'granules', rows).values();
  return wanted.map((row) => (row === undefined ? null : (records.next().value ?? null)));
}
