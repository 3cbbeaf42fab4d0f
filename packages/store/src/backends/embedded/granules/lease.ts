import type { Connection } from '../connection.ts';
import { IMPORT_EXPIRES_MS } from '../tuning.ts';
import type { Counter } from './counters.ts';

/** The lease of one import, which may store invisible rows in a kapsule. */
export interface Lease {
  kapsule: number;
  name: string | null;
  pid: number;
  renewedAt: number;
  inserted: number;
  lastChange: number;
  /** How many rows are staged, and the bytes of their data and of what they replace: at most, because rows with one key are counted each time. */
  staged: number;
  stagedBytes: number;
  /** Whether a row names the version that it replaces, and whether one names another than was stored when it arrived: 0 or 1. */
  namesVersions: number;
  namesOthers: number;
  /** The last visible change before the import. */
  begunAfter: number;
}

/**
 * The change numbers of an import begin this far after the last visible one: no kapsule has that many writes
 * meanwhile.
 */
const GAP = 2 ** 32;

/** The names of this store's own imports begin with it; those of a process that is gone have another one. */
let owner = '';

export function setOwner(name: string): void {
  owner = name;
}

export function findLease(connection: Connection, kapsule: number): Lease | undefined {
  const lease = connection.get('SELECT * FROM granule_imports WHERE kapsule = ?', kapsule);
  return lease === undefined ? undefined : { ...(lease as Lease) };
}

export function saveLease(connection: Connection, lease: Lease): void {
  const { kapsule, inserted, lastChange, staged, stagedBytes, namesVersions, namesOthers } = lease;
  connection.run(
    `UPDATE granule_imports
     SET inserted = ?, lastChange = ?, staged = ?, stagedBytes = ?, namesVersions = ?, namesOthers = ?, renewedAt = ?
     WHERE kapsule = ?`,
    inserted,
    lastChange,
    staged,
    stagedBytes,
    namesVersions,
    namesOthers,
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
    `INSERT INTO granule_imports (kapsule, name, pid, renewedAt, inserted, lastChange, begunAfter)
     VALUES (?, ?, ?, ?, 0, ?, ?)`,
    kapsule,
    name,
    process.pid,
    Date.now(),
    lastChange + GAP,
    lastChange,
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

/** Whether the import has ended, or its process has. */
export function isOver({ name, pid, renewedAt }: Lease): boolean {
  if (name === null) return true;
  if (pid === process.pid) return !name.startsWith(`${owner}/`);
  return !isAlive(pid) || Math.abs(Date.now() - renewedAt) > IMPORT_EXPIRES_MS;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another account.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
