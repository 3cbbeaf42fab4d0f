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
  deleted: number;
  lastChange: number;
}

interface Write {
  key: string;
  user: string;
  data: string;
  search: string;
  createdAt: string;
  now: string;
}

const INSERT = `
  INSERT INTO granules (kapsule, id, version, reloaded, change, createdAt, updatedAt, key, user, data, search)
  VALUES (?, ?, 1, 0, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (kapsule, key) DO NOTHING`;

const FIND = 'SELECT row, reloaded FROM granules WHERE kapsule = ? AND key = ?';
const FIND_DELETED = 'SELECT row FROM granules_deleted WHERE kapsule = ? AND key = ?';

const KEEP_EARLIER = `
  INSERT INTO granule_history (row, version, updatedAt, user, data)
  SELECT row, version, updatedAt, user, data FROM granules WHERE row = ?`;

const REPLACE = `
  UPDATE granules SET version = version + 1, reloaded = 0, change = ?, updatedAt = ?, user = ?, data = ?, search = ?
  WHERE row = ?`;

const KEEP_DELETED = `
  INSERT INTO granule_history (row, version, updatedAt, deletedAt, deletedBy, user, data)
  SELECT row, version, updatedAt, deletedAt, deletedBy, user, data FROM granules_deleted WHERE row = ?`;

const REVIVE = `
  INSERT INTO granules (row, kapsule, id, version, reloaded, change, createdAt, updatedAt, key, user, data, search)
  SELECT row, kapsule, id, version + 1, 0, ?, createdAt, ?, key, ?, ?, ? FROM granules_deleted WHERE row = ?`;

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
    const search = searchText(key, user, JSON.parse(data));
    upsert(connection, counter, { key, user, data, search, createdAt: createdAt ?? now, now });
  }
  const { total, reloaded, deleted, lastChange, kapsule } = counter;
  connection.run(
    'UPDATE granule_counts SET total = ?, reloaded = ?, deleted = ?, lastChange = ? WHERE kapsule = ?',
    total,
    reloaded,
    deleted,
    lastChange,
    kapsule,
  );
  return rows.length;
}

function upsert(connection: Connection, counter: Counter, write: Write): void {
  const { kapsule, lastChange } = counter;
  const { key, user, data, search, createdAt, now } = write;
  if (counter.deleted > 0) {
    const dead = connection.get(FIND_DELETED, kapsule, key) as { row: number } | undefined;
    if (dead) return revive(connection, counter, dead.row, write);
  }
  const values = [kapsule, newId(), lastChange, createdAt, now, key, user, data, search];
  if (connection.run(INSERT, ...values) === 1) {
    counter.total += 1;
    return;
  }
  const old = connection.get(FIND, kapsule, key) as { row: number; reloaded: number };
  counter.reloaded -= old.reloaded;
  connection.run(KEEP_EARLIER, old.row);
  connection.run(REPLACE, lastChange, now, user, data, search, old.row);
}

/** Writing the key of a deleted granule brings it back, with its id and its history. */
function revive(
  connection: Connection,
  counter: Counter,
  row: number,
  { now, user, data, search }: Write,
): void {
  connection.run(KEEP_DELETED, row);
  connection.run(REVIVE, counter.lastChange, now, user, data, search, row);
  connection.run('DELETE FROM granules_deleted WHERE row = ?', row);
  counter.deleted -= 1;
  counter.total += 1;
}

function counterOf(connection: Connection, kapsuleId: string): Counter {
  connection.run('INSERT INTO granule_counts (kapsuleId) VALUES (?) ON CONFLICT DO NOTHING', kapsuleId);
  const counter = connection.get('SELECT * FROM granule_counts WHERE kapsuleId = ?', kapsuleId);
  return { ...(counter as Counter) };
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
  const row = connection.get('SELECT * FROM granule_counts WHERE kapsuleId = ?', kapsuleId);
  return toCounts((row as CountRow | undefined) ?? { kapsuleId, total: 0, reloaded: 0 });
}

export function readCountsOfAll(connection: Connection): Map<string, GranuleCounts> {
  const rows = connection.all<CountRow>('SELECT * FROM granule_counts');
  return new Map(rows.map((row) => [row.kapsuleId, toCounts(row)]));
}
