import { searchText } from '../../folding.ts';
import type { GranuleCounts } from '../../granules.ts';
import { newId } from '../../ids.ts';
import type { Connection } from './connection.ts';

/** Key, user, data as JSON and, when the writer knows it, the time of creation. */
export type GranuleRow = [key: string, user: string, data: string, createdAt: string | null];

interface Counter {
  kapsule: number;
  total: number;
  reloaded: number;
  lastChange: number;
}

const INSERT = `
  INSERT INTO granules (kapsule, id, version, reloaded, change, createdAt, updatedAt, key, user, data, search)
  VALUES (?, ?, 1, 0, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kapsule, key) DO NOTHING`;

const KEEP_EARLIER = `
  INSERT INTO granule_history (row, version, updatedAt, deletedAt, deletedBy, user, data)
  SELECT row, version, updatedAt, deletedAt, deletedBy, user, data FROM granules WHERE row = ?`;

const REPLACE = `
  UPDATE granules SET version = version + 1, reloaded = 0, change = ?, updatedAt = ?, deletedAt = NULL,
    deletedBy = NULL, user = ?, data = ?, search = ? WHERE row = ?`;

let lastNow = 0;

/** Never goes back, so that the order of updatedAt stays the order of changes when the clock is set. */
function nowText(): string {
  lastNow = Math.max(lastNow, Date.now());
  return new Date(lastNow).toISOString();
}

/** One batch inside a transaction: rows, history and counters change together. */
export function upsertBatch(connection: Connection, kapsuleId: string, rows: GranuleRow[]): number {
  const counter = counterOf(connection, kapsuleId);
  const now = nowText();
  for (const [key, user, data, createdAt] of rows) {
    counter.lastChange += 1;
    const { kapsule, lastChange } = counter;
    const search = searchText(key, user, JSON.parse(data));
    const values = [kapsule, newId(), lastChange, createdAt ?? now, now, key, user, data, search];
    if (connection.run(INSERT, ...values) === 1) counter.total += 1;
    else replace(connection, counter, { key, user, data, search, now });
  }
  connection.run(
    'UPDATE granule_counts SET total = ?, reloaded = ?, lastChange = ? WHERE kapsule = ?',
    counter.total,
    counter.reloaded,
    counter.lastChange,
    counter.kapsule,
  );
  return rows.length;
}

interface OldRow {
  row: number;
  reloaded: number;
  deletedAt: string | null;
}

interface Replacement {
  key: string;
  user: string;
  data: string;
  search: string;
  now: string;
}

function replace(
  connection: Connection,
  counter: Counter,
  { key, user, data, search, now }: Replacement,
): void {
  const old = connection.get(
    'SELECT row, reloaded, deletedAt FROM granules WHERE kapsule = ? AND key = ?',
    counter.kapsule,
    key,
  ) as OldRow | undefined;
  if (!old) throw new Error('A granule that is in the way of an insert could not be read.');
  // A deleted granule is in no counter; writing its key again brings it back.
  if (old.deletedAt !== null) counter.total += 1;
  else counter.reloaded -= old.reloaded;
  connection.run(KEEP_EARLIER, old.row);
  connection.run(REPLACE, counter.lastChange, now, user, data, search, old.row);
}

function counterOf(connection: Connection, kapsuleId: string): Counter {
  connection.run('INSERT INTO granule_counts (kapsuleId) VALUES (?) ON CONFLICT DO NOTHING', kapsuleId);
  const counter = connection.get(
    'SELECT kapsule, total, reloaded, lastChange FROM granule_counts WHERE kapsuleId = ?',
    kapsuleId,
  ) as Counter | undefined;
  if (!counter) throw new Error('The counter of a kapsule could not be read.');
  return { ...counter };
}

interface CountRow {
  kapsuleId: string;
  total: number;
  reloaded: number;
}

const toCounts = ({ total, reloaded }: CountRow): GranuleCounts => ({
  total,
  reloaded,
  notReloaded: total - reloaded,
});

export function readCounts(connection: Connection, kapsuleId: string): GranuleCounts {
  const row = connection.get('SELECT * FROM granule_counts WHERE kapsuleId = ?', kapsuleId) as
    | CountRow
    | undefined;
  return row ? toCounts(row) : { total: 0, reloaded: 0, notReloaded: 0 };
}

export function readCountsOfAll(connection: Connection): Map<string, GranuleCounts> {
  const rows = connection.all<CountRow>('SELECT * FROM granule_counts');
  return new Map(rows.map((row) => [row.kapsuleId, toCounts(row)]));
}
