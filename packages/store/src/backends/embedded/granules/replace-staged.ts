import { nowText } from '../../shared/clock.ts';
import type { Connection } from '../connection.ts';
import { REPLACE_STATEMENT_BYTES, REPLACE_STATEMENT_ROWS } from '../tuning.ts';
import { type Counter, countChanges, saveCounter } from './counters.ts';
import { KEEP_EARLIER_COLUMNS, TO_BE_INDEXED, Upsert } from './upsert.ts';

/** Staged rows that differ from their granule, if it is still there, in the version that they replace if they name one. */
const REPLACED = `s.kapsule = ?1 AND s.staged BETWEEN ?2 AND ?3 AND g.row = s.row
  AND (s.version IS NULL OR s.version = g.version) AND (g.user <> s.user OR g.data <> s.data)`;
export const FROM_STAGED = 'granule_staged s INDEXED BY granule_staged_kapsule';

/** All other staged rows: their granule was deleted, or has another version than they replace. */
const READ_OTHERS = `
  SELECT staged, key, user, data, createdAt, version FROM ${FROM_STAGED}
  WHERE kapsule = ?1 AND staged BETWEEN ?2 AND ?3
    AND (row IS NULL OR NOT EXISTS (
      SELECT 1 FROM granules g WHERE g.row = s.row AND (s.version IS NULL OR s.version = g.version)))
  ORDER BY staged LIMIT 1000`;

const COUNT = `
  SELECT count(*) AS rows, coalesce(sum(g.change <= ?4), 0) AS reloaded, coalesce(sum(g.user <> s.user), 0) AS users,
    coalesce(sum(octet_length(s.data)), 0) AS bytes
  FROM ${FROM_STAGED} CROSS JOIN granules g WHERE ${REPLACED}`;

const KEEP_EARLIER = `
  INSERT INTO granule_history (${KEEP_EARLIER_COLUMNS})
  SELECT g.row, g.version, g.updatedAt, g.user, g.data FROM ${FROM_STAGED} CROSS JOIN granules g WHERE ${REPLACED}`;

const replace = (more: string) => `
  UPDATE granules AS g
  SET version = g.version + 1, change = ?4 + s.staged, updatedAt = ?5, data = s.data, search = s.search ${more}
  FROM ${FROM_STAGED} WHERE ${REPLACED}`;

// Two of them, because naming a column makes SQLite rewrite its index even when the value stays.
const REPLACE = replace('');
const REPLACE_WITH_USER = replace(', user = s.user');

interface Staged {
  staged: number;
  key: string;
  user: string;
  data: string;
  createdAt: string | null;
  version: number | null;
}

interface Found {
  rows: number;
  reloaded: number;
  users: number;
  bytes: number;
}

/** Writes all staged rows of a kapsule, inside one transaction. */
export function replaceAllStaged(connection: Connection, counter: Counter): void {
  const { first, last } = connection.get(
    'SELECT min(staged) AS first, max(staged) AS last FROM granule_staged INDEXED BY granule_staged_kapsule WHERE kapsule = ?',
    counter.kapsule,
  ) as { first: number | null; last: number | null };
  if (first !== null && last !== null) replaceStaged(connection, counter, first, last);
}

/** Writes the staged rows with these numbers: those that replace a granule together, all others one by one. */
export function replaceStaged(connection: Connection, counter: Counter, first: number, last: number): void {
  const upsert = new Upsert(connection, counter);
  // After the publication, which has compared the versions that rows name.
  const isCompared = counter.replacedThrough !== null;
  for (let from = first; from <= last; ) {
    const others = connection.all<Staged>(READ_OTHERS, counter.kapsule, from, last);
    for (const { key, user, data, createdAt, version } of others)
      upsert.add([key, user, data, createdAt, isCompared ? null : version]);
    from = (others.at(-1)?.staged ?? last) + 1;
  }
  upsert.finish();
  // Afterwards, because it changes the versions that are compared.
  replaceTogether(connection, counter, first, last);
  saveCounter(connection, counter);
}

/**
 * Replaces existing granules by the staged rows of an import, a slice of them with one UPDATE: row by row it would
 * take five times as long, while other writers wait.
 */
function replaceTogether(connection: Connection, counter: Counter, first: number, last: number): void {
  const { kapsule, lastChange: before } = counter;
  const now = nowText();
  let changes = 0;
  for (let from = first, size = REPLACE_STATEMENT_ROWS; from <= last; ) {
    const slice = [kapsule, from, Math.min(last, from + size - 1)];
    const found = connection.get(COUNT, ...slice, counter.reloadedThrough) as Found;
    if (found.bytes > REPLACE_STATEMENT_BYTES && size > 1) {
      size = Math.max(1, Math.floor((size * REPLACE_STATEMENT_BYTES) / found.bytes));
      continue;
    }
    from += size;
    if (found.rows === 0) continue;
    connection.run(KEEP_EARLIER, ...slice);
    // Their numbers are in the order of arrival.
    connection.run(found.users > 0 ? REPLACE_WITH_USER : REPLACE, ...slice, before + 1 - first, now);
    counter.reloaded -= found.reloaded;
    changes += found.rows;
  }
  counter.lastChange = before + 1 + last - first;
  connection.run(TO_BE_INDEXED, kapsule, before, counter.lastChange);
  countChanges(connection, kapsule, changes, now);
}
