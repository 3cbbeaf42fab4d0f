import type { Connection } from '../connection.ts';
import { inPieces } from '../waiting-writes.ts';
import type { Counter } from './counters.ts';

/** The lease of one import, which may store invisible rows in a kapsule. */
export interface Lease {
  kapsule: number;
  name: string | null;
  pid: number;
  renewedAt: number;
  inserted: number;
  lastChange: number;
}

/**
 * The change numbers of an import begin this far after the last visible one: no kapsule has that many writes
 * meanwhile.
 */
const GAP = 2 ** 32;
const STALE_MS = 60_000;
/** A step is made of a few slices, of fewer when other writes wait. */
const SLICES = 10;
const SWEEP_ROWS = 100;

/** The names of this store's own imports begin with it; those of a process that is gone have another one. */
let owner = '';

export function setOwner(name: string): void {
  owner = name;
}

export function findLease(connection: Connection, kapsule: number): Lease | undefined {
  const lease = connection.get('SELECT * FROM granule_imports WHERE kapsule = ?', kapsule);
  return lease === undefined ? undefined : { ...(lease as Lease) };
}

export function saveLease(connection: Connection, { kapsule, inserted, lastChange }: Lease): void {
  connection.run(
    'UPDATE granule_imports SET inserted = ?, lastChange = ?, renewedAt = ? WHERE kapsule = ?',
    inserted,
    lastChange,
    Date.now(),
    kapsule,
  );
}

/** busy: another import runs. leftovers: rows of a failed import must be removed first. */
export function claim(
  connection: Connection,
  { kapsule, lastChange }: Counter,
  name: string,
): 'ready' | 'busy' | 'leftovers' {
  const lease = findLease(connection, kapsule);
  if (lease) return isOver(lease) ? 'leftovers' : 'busy';
  connection.run(
    'INSERT INTO granule_imports (kapsule, name, pid, renewedAt, inserted, lastChange) VALUES (?, ?, ?, ?, 0, ?)',
    kapsule,
    name,
    process.pid,
    Date.now(),
    lastChange + GAP,
  );
  return 'ready';
}

export function dropLease(connection: Connection, kapsule: number, name: string): void {
  connection.run('UPDATE granule_imports SET name = NULL WHERE kapsule = ? AND name = ?', kapsule, name);
}

/**
 * The staged rows are not needed after the publication; they are removed in steps, so that other writers do not wait.
 */
export function endLease(connection: Connection, { kapsule, name }: Lease): void {
  const staged = connection.get('SELECT 1 FROM granule_staged WHERE kapsule = ? LIMIT 1', kapsule);
  if (staged === undefined) connection.run('DELETE FROM granule_imports WHERE kapsule = ?', kapsule);
  else dropLease(connection, kapsule, name ?? '');
}

/** Removes some of the rows that failed imports have left; returns false when there are none. */
export function sweepImports(connection: Connection): boolean {
  return inPieces(SLICES, () => sweepSlice(connection));
}

function sweepSlice(connection: Connection): boolean {
  const lease = connection.all<Lease>('SELECT * FROM granule_imports').find(isOver);
  if (!lease) return false;
  connection.run('UPDATE granule_imports SET name = NULL WHERE kapsule = ?', lease.kapsule);
  const hidden = connection.run(
    `DELETE FROM granules WHERE row IN (
       SELECT g.row FROM granule_counts c JOIN granules g ON g.kapsule = c.kapsule AND g.change > c.lastChange
       WHERE c.kapsule = ? LIMIT ${SWEEP_ROWS}
     )`,
    lease.kapsule,
  );
  const staged = connection.run(
    `DELETE FROM granule_staged WHERE staged IN (
       SELECT staged FROM granule_staged WHERE kapsule = ? LIMIT ${SWEEP_ROWS}
     )`,
    lease.kapsule,
  );
  if (hidden === 0 && staged === 0) {
    connection.run('DELETE FROM granule_imports WHERE kapsule = ?', lease.kapsule);
  }
  return true;
}

function isOver({ name, pid, renewedAt }: Lease): boolean {
  if (name === null) return true;
  if (pid === process.pid) return !name.startsWith(`${owner}/`);
  return !isAlive(pid) || Math.abs(Date.now() - renewedAt) > STALE_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
