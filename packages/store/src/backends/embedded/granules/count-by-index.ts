import type { Connection } from '../connection.ts';
import { countEntries } from './field-narrowing.ts';
import type { Selection } from './selection.ts';

/** How many rows match, by the index of the one condition that there is; undefined when more is asked for. */
export function countByIndex(connection: Connection, selection: Selection): number | undefined {
  const { kapsule, through: last, narrowings, matches, isOneCondition } = selection;
  const [narrowing] = narrowings;
  if (!narrowing || !isOneCondition) return undefined;
  const { table, through, entries } = narrowing;
  const changed = connection.all<{ row: number; isHit: number }>(
    `SELECT g.row, 1 ${matches} AS isHit FROM granules g WHERE g.kapsule = ? AND g.change > ? AND g.change <= ?`,
    kapsule,
    through,
    last,
  );
  const hits = changed.filter(({ isHit }) => isHit === 1).length;
  return (
    hits +
    countEntries(
      connection,
      table,
      entries,
      changed.map(({ row }) => row),
    )
  );
}
