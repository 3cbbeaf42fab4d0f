import { nowText } from '../../shared/clock.ts';
import type { FieldIndex } from '../../shared/field-index.ts';
import type { Connection } from '../connection.ts';
import { type Counter, countChanges, counterOf, saveCounter } from './counters.ts';
import { fieldIndexes, removeFromIndexes } from './field-indexes.ts';
import { Upsert } from './upsert.ts';

/** The granules that were changed, and their kapsules. */
export interface Touched {
  ids: string[];
  kapsuleIds: string[];
}

interface Found {
  row: number;
  key: string;
  change: number;
  kapsuleId: string;
}

const columns = 'row, kapsule, id, version, change, createdAt, updatedAt, key, user, data, search';

const DELETE = `
  INSERT INTO granules_deleted (${columns}, deletedAt, deletedBy, deletion) SELECT ${columns}, ?, ?, ? FROM granules WHERE row = ?`;

const KEEP = `
  INSERT INTO granule_history (row, version, updatedAt, deletedAt, deletedBy, restoredBy, user, data)
  SELECT row, version, updatedAt, deletedAt, deletedBy, ?, user, data FROM granules_deleted WHERE row = ?`;

const RESTORE = `
  INSERT INTO granules (${columns})
  SELECT row, kapsule, id, version + 1, ?, createdAt, ?, key, user, data, search FROM granules_deleted WHERE row = ?`;

/** A deletion has a number of its own in the order of changes, so that incremental readers learn of it. */
export function removeMany(connection: Connection, ids: readonly string[], by: string): Touched {
  const now = nowText();
  return forEach(connection, 'granules', ids, now, (counter, { row, change }, indexes) => {
    removeFromIndexes(connection, indexes, row);
    connection.run(DELETE, now, by, ++counter.lastChange, row);
    connection.run('DELETE FROM granules WHERE row = ?', row);
    counter.total -= 1;
    counter.deleted += 1;
    if (change <= counter.reloadedThrough) counter.reloaded -= 1;
  });
}

/** Restoring is a change of its own, so that incremental readers get the granule again. */
export function restoreMany(connection: Connection, ids: readonly string[], by: string): Touched {
  const now = nowText();
  return forEach(connection, 'granules_deleted', ids, now, (counter, { row }) => {
    connection.run(KEEP, by, row);
    connection.run(RESTORE, ++counter.lastChange, now, row);
    connection.run('DELETE FROM granules_deleted WHERE row = ?', row);
    // It may have been deleted before it was indexed.
    connection.run('INSERT INTO granule_unindexed (row) VALUES (?) ON CONFLICT DO NOTHING', row);
    counter.total += 1;
    counter.deleted -= 1;
  });
}

function forEach(
  connection: Connection,
  table: 'granules' | 'granules_deleted',
  ids: readonly string[],
  now: string,
  work: (counter: Counter, found: Found, indexes: readonly FieldIndex[]) => void,
): Touched {
  const find = `
    SELECT g.row, g.key, g.change, c.kapsuleId FROM ${table} g JOIN granule_counts c ON c.kapsule = g.kapsule
    WHERE g.id = ? AND g.change <= c.lastChange`;
  const counters = new Map<string, { counter: Counter; indexes: FieldIndex[]; changes: number }>();
  const changed: string[] = [];
  for (const id of ids) {
    let found = connection.get(find, id) as Found | undefined;
    if (!found) continue;
    let entry = counters.get(found.kapsuleId);
    if (!entry) {
      const counter = counterOf(connection, found.kapsuleId);
      entry = { counter, indexes: fieldIndexes(connection, counter.kapsule), changes: 0 };
      counters.set(found.kapsuleId, entry);
    }
    if (entry.counter.replacedThrough !== null) {
      const upsert = new Upsert(connection, entry.counter);
      upsert.replaceByStaged(found.key);
      upsert.finish();
      found = connection.get(find, id) as Found | undefined;
      if (!found) continue;
    }
    work(entry.counter, found, entry.indexes);
    entry.changes += 1;
    changed.push(id);
  }
  for (const { counter, changes } of counters.values()) {
    countChanges(connection, counter.kapsule, changes, now);
    saveCounter(connection, counter);
  }
  return { ids: changed, kapsuleIds: [...counters.keys()] };
}
