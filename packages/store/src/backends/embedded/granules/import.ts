import { decideWrite } from '@kaptain/contract/decide-write';
import { yieldProcessor } from '../../../background-thread.ts';
import { NotFoundError, UnavailableError } from '../../../errors.ts';
import { searchText } from '../../../folding.ts';
import { newId } from '../../../ids.ts';
import { type PackedRow, unpack } from '../../../packed-rows.ts';
import { nowText } from '../../shared/clock.ts';
import type { GranuleRow } from '../../shared/granule-row.ts';
import type { Connection } from '../connection.ts';
import { requireRoom } from '../disk-room.ts';
import { PUBLISH_BYTES, PUBLISH_ROWS } from '../tuning.ts';
import { endsForOthers } from '../waiting-writes.ts';
import {
  type Counter,
  countChanges,
  counterOf,
  findCounter,
  firstRow,
  saveCounter,
  saveReplacedThrough,
} from './counters.ts';
import { claim, dropLease, endLease, findLease, type Lease, saveLease } from './lease.ts';
import { replaceAllStaged } from './replace-staged.ts';
import { FIND, FIND_DELETED, type FoundRow, INSERT, TO_BE_INDEXED } from './upsert.ts';

/*
 * An import of a million rows must not keep other units waiting. Its new keys are written in small transactions as
 * granules whose change number is above their kapsule's last one, where no reader sees them; replacements are staged.
 * Publishing moves the last change past them.
 */

const STAGE = `
  INSERT OR REPLACE INTO granule_staged (kapsule, key, user, data, createdAt, version, row, search)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const UNSTAGE = 'DELETE FROM granule_staged WHERE kapsule = ? AND key = ?';
const REWRITE = `
  UPDATE granules SET user = ?, data = ?, search = ?, createdAt = ?, change = ?, expectedVersion = ? WHERE row = ?`;
const CHANGED_MEANWHILE = `
  SELECT 1 FROM granules g CROSS JOIN granule_staged s ON s.kapsule = g.kapsule AND s.key = g.key
  WHERE g.kapsule = ? AND g.change > ? AND g.change <= ? AND s.version <> g.version LIMIT 1`;
const DELETED_MEANWHILE = `
  SELECT 1 FROM granules_deleted d CROSS JOIN granule_staged s ON s.kapsule = d.kapsule AND s.key = d.key
  WHERE d.kapsule = ? AND s.version > 0 LIMIT 1`;

/** How often the data of a row is written: itself, its folded text, and a copy of both in the write-ahead log. */
const COPIES = 4;
/** How often a packed row is written, which has its folded text with it. */
const PACKED_COPIES = 2;
/** How often staged data is written: itself and its folded text. What it replaces is written to the history, and to the log. */
const STAGED_COPIES = 2;

export function beginImport(
  connection: Connection,
  kapsuleId: string,
  name: string,
): ReturnType<typeof claim> {
  return claim(connection, counterOf(connection, kapsuleId), name);
}

/** Rows to import; packed ones have their folded text with them. */
export type ReceivedRows = GranuleRow[] | Uint8Array;

/** Received rows that are not stored yet, by the name of their import. */
const rest = new Map<string, readonly (GranuleRow | PackedRow)[]>();

/** Takes the next rows of an import, which `stageRows` stores; in no transaction, so that saves do not wait for it. */
export function receiveRows(connection: Connection, name: string, rows: ReceivedRows): void {
  if (rows instanceof Uint8Array) {
    requireRoom(connection, PACKED_COPIES * rows.length);
    rest.set(name, unpack(rows));
  } else {
    requireRoom(connection, COPIES * rows.reduce((sum, [, , data]) => sum + Buffer.byteLength(data), 0));
    rest.set(name, rows);
  }
}

function folded(row: GranuleRow | PackedRow): PackedRow {
  const [key, user, data, createdAt, version, search] = row;
  return [key, user, data, createdAt, version, search ?? searchText(key, user, JSON.parse(data))];
}

/** Stores received rows; returns how many of them are left, because other writes wait. */
export function stageRows(connection: Connection, kapsuleId: string, name: string): number {
  const rows = rest.get(name);
  rest.delete(name);
  // The thread that had them has died.
  if (!rows) throw givenUp();
  const { counter, lease } = requireImport(connection, kapsuleId, name);
  const isEnough = endsForOthers();
  const before = lease.lastChange;
  const now = nowText();
  let done = 0;
  while (done < rows.length && (done === 0 || !isEnough())) {
    yieldProcessor();
    const row = folded(rows[done++] as GranuleRow | PackedRow);
    if (row[4] !== null) lease.namesVersions = 1;
    if (!hide(connection, counter, lease, row, now)) stage(connection, counter, lease, row, now);
  }
  connection.run(TO_BE_INDEXED, counter.kapsule, before, lease.lastChange);
  saveCounter(connection, counter);
  saveLease(connection, lease);
  if (done < rows.length) rest.set(name, rows.slice(done));
  return rows.length - done;
}

export function renewImport(connection: Connection, kapsuleId: string, name: string): void {
  saveLease(connection, requireImport(connection, kapsuleId, name).lease);
}

/**
 * Makes all rows visible, in the unit of work that also writes the audit entry; very many known keys are left to `replaceMore`. Versions
 * are compared here, because one that differs refuses the import.
 */
export function publishImport(connection: Connection, kapsuleId: string, name: string): void {
  const { counter, lease } = requireImport(connection, kapsuleId, name);
  requireRoom(connection, STAGED_COPIES * lease.stagedBytes);
  const areFew = lease.staged <= PUBLISH_ROWS && lease.stagedBytes <= PUBLISH_BYTES;
  const isAtOnce = areFew || !haveStayed(connection, counter, lease);
  counter.total += lease.inserted;
  counter.lastChange = lease.lastChange;
  countChanges(connection, counter.kapsule, lease.inserted, nowText());
  if (isAtOnce) {
    replaceAllStaged(connection, counter);
    endLease(connection, lease);
  } else {
    counter.replacedThrough = 0;
    saveReplacedThrough(connection, counter);
  }
  saveCounter(connection, counter);
}

/** Whether all granules still have the versions that the staged rows name. False where that is not certain. */
function haveStayed(
  connection: Connection,
  { kapsule, deleted, lastChange }: Counter,
  lease: Lease,
): boolean {
  if (!lease.namesVersions) return true;
  if (lease.namesOthers || deleted > PUBLISH_ROWS) return false;
  const hasChanged = connection.get(CHANGED_MEANWHILE, kapsule, lease.begunAfter, lastChange) !== undefined;
  return !hasChanged && connection.get(DELETED_MEANWHILE, kapsule) === undefined;
}

/** The rows are removed later, step by step. */
export function dropImport(connection: Connection, kapsuleId: string, name: string): void {
  rest.delete(name);
  const counter = findCounter(connection, kapsuleId);
  if (counter) dropLease(connection, counter.kapsule, name);
}

/** Writes a key that no granule has, living or deleted, straight into the granules. */
function hide(
  connection: Connection,
  counter: Counter,
  lease: Lease,
  [key, user, data, createdAt, version, search]: PackedRow,
  now: string,
): boolean {
  const { kapsule } = counter;
  // One that replaces a version.
  if (version) return false;
  if (counter.deleted > 0 && connection.get(FIND_DELETED, kapsule, key)) return false;
  const change = lease.lastChange + 1;
  const ids = [firstRow(kapsule) + counter.lastRow + 1, kapsule, newId(), change];
  if (connection.run(INSERT, ...ids, createdAt ?? now, now, key, user, data, search, version) === 0)
    return false;
  counter.lastRow += 1;
  lease.lastChange = change;
  lease.inserted += 1;
  return true;
}

function stage(
  connection: Connection,
  counter: Counter,
  lease: Lease,
  [key, user, data, createdAt, version, search]: PackedRow,
  now: string,
): void {
  const found = connection.get(FIND, counter.kapsule, key) as FoundRow | undefined;
  if (found && found.change > counter.lastChange && !version) {
    // The import has this key twice: its last row counts.
    lease.lastChange += 1;
    connection.run(REWRITE, user, data, search, createdAt ?? now, lease.lastChange, version, found.row);
    connection.run('INSERT INTO granule_unindexed (row) VALUES (?) ON CONFLICT DO NOTHING', found.row);
    return;
  }
  const visible = found && found.change <= counter.lastChange ? found : undefined;
  const isSame = visible?.user === user && visible.data === data;
  const { action } = decideWrite(version, visible, undefined, isSame);
  if (action === 'same' && version === null) {
    connection.run(UNSTAGE, counter.kapsule, key);
  } else {
    const replaced = found ? [found.row, search] : [null, null];
    connection.run(STAGE, counter.kapsule, key, user, data, createdAt, version, ...replaced);
    lease.staged += 1;
    lease.stagedBytes += Buffer.byteLength(data) + Buffer.byteLength(found?.data ?? '');
    if (action === 'conflict') lease.namesOthers = 1;
  }
}

function requireImport(
  connection: Connection,
  kapsuleId: string,
  name: string,
): { counter: Counter; lease: Lease } {
  const counter = findCounter(connection, kapsuleId);
  // Only a purge removes the counters.
  if (!counter) throw new NotFoundError('kapsules', kapsuleId);
  const lease = findLease(connection, counter.kapsule);
  if (lease?.name !== name) throw givenUp();
  return { counter, lease };
}

const givenUp = () =>
  new UnavailableError('The import was given up, because its kapsule was deleted or the service stopped.');
